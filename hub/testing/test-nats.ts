import { connect } from "@nats-io/transport-node";

const ADDRESS = process.env.CONSENTRY_TEST_NATS ?? "nats://127.0.0.1:4222";

/** A NATS to test with: `CONSENTRY_TEST_NATS` or the usual port; null where there is none. */
export const testNats: URL | null = await connect({
  servers: new URL(ADDRESS).host,
  timeout: 2_000,
}).then(
  async (connection) => {
    await connection.close();
    return new URL(ADDRESS);
  },
  () => {
    console.warn("no NATS to test with: its tests are skipped");
    return null;
  },
);
