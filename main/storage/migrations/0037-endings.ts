import type { Migration } from "../../../runtime/sqlite/migrations.ts";

/**
 * Calls that were cancelled are found and counted apart from those that failed, and calls that an agent reported as
 * failed among them. Until now, the former were among `error` and the latter among `ok`.
 */
export const endings: Migration = {
  version: 37,
  sql: `
CREATE TEMP TABLE moved AS
SELECT n.seq, n.facet_id, iif(o.status = 'ok', 'error', 'cancelled') AS ending
FROM audit_log o CROSS JOIN activity_lines n ON n.seq = o.seq
WHERE (o.status = 'error' AND o.reason = 'cancelled') OR (o.status = 'ok' AND EXISTS (
  SELECT 1 FROM carried_out c CROSS JOIN audit_log r ON r.seq = c.report_seq
  WHERE c.decided_seq = o.seq AND r.status = 'failed'));
INSERT OR IGNORE INTO facets (agent_id, tool_name, scope, ending, decided_by)
SELECT DISTINCT f.agent_id, f.tool_name, f.scope, m.ending, f.decided_by
FROM moved m CROSS JOIN facets f ON f.facet_id = m.facet_id;
UPDATE activity_lines SET facet_id = (
  SELECT wanted.facet_id FROM facets f JOIN facets wanted USING (agent_id, tool_name, scope, decided_by)
  WHERE f.facet_id = m.facet_id AND wanted.ending = m.ending)
FROM moved m WHERE m.seq = activity_lines.seq;
UPDATE odd_names SET facet_id = n.facet_id
FROM moved m CROSS JOIN activity_lines n ON n.seq = m.seq
WHERE odd_names.seq = m.seq AND odd_names.facet_id = m.facet_id;
DROP TABLE moved;

DELETE FROM facet_days;
INSERT INTO facet_days SELECT n.facet_id, o.timestamp / 86400000, count(*)
FROM activity_lines n CROSS JOIN audit_log o ON o.seq = n.seq GROUP BY 1, 2;
DELETE FROM facet_hours;
INSERT INTO facet_hours SELECT o.timestamp / 3600000, n.facet_id, count(*)
FROM activity_lines n CROSS JOIN audit_log o ON o.seq = n.seq GROUP BY 1, 2;
DELETE FROM facets WHERE facet_id NOT IN (SELECT facet_id FROM facet_days);
`,
};
