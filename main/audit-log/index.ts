export { AuditFileError } from "./audit-file-error.ts";
export { exportLog } from "./export-log.ts";
export { type VerifyReport, verifyDatabase, verifyFile } from "./verify-log.ts";
export { writeAside } from "./write-aside.ts";
