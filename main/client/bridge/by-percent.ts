/** Reports progress only when it has grown by at least a hundredth. */
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
