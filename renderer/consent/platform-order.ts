/**
 * Where the system's own questions have the answer that does nothing: on Windows after the one that
 * does something, elsewhere before it. @param platform as `navigator.platform` has it
 */
export const deniesFirst = (platform: string): boolean => !/^win/i.test(platform);
