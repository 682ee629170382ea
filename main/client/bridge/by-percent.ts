/** Passes a progress on each time it has come at least a hundredth further. */
export function byPercent(
  tell: (done: number, total: number) => void,
): (done: number, total: number) => void {
  let told = 0;
  return (done, total) => {
    const percent = Math.floor((done * 100) / total);
    if (percent === told) return;
    told = percent;
    tell(done, total);
  };
}
