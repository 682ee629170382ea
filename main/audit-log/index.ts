export { AUDIT_FILE_ERRORS, AuditFileError, type AuditFileErrorCode } from "./audit-file-error.ts";
export { type ExportRequest, exportLog } from "./export-log.ts";
export { type SalvageReport, salvageLog } from "./salvage/salvage-log.ts";
export { type VerifyReport, verifyDatabase, verifyFile } from "./verify-log.ts";
export { type WriteOptions, writeAside } from "./write-aside.ts";
