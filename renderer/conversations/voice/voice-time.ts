const MINUTE = 60;

/** `1:07`: minutes and seconds, the same in every language. */
export function voiceTime(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / MINUTE)}:${String(whole % MINUTE).padStart(2, "0")}`;
}
