/** For a file's name: `20260131T235959Z`, without colons, which Windows does not allow in names. */
export const fileStamp = (time: number): string =>
  new Date(time).toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "");
