import { describe, expect, it } from "vitest";
import type { KnownAgent } from "../grants/grant.ts";
import { handleCall } from "./handle-call.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

describe("revocation", () => {
  const ROOT = { root_id: "root-1", path: "/home/ada", access: "read_write", added_at: 0 } as const;
  const HOST = { host: "printer.local", port: 80, added_at: 0 };

  /** The outcome of an approved call when the agent's grants have changed by the time of the answer. */
  async function approvedOver(before: Partial<KnownAgent>, after: Partial<KnownAgent>) {
    const chain = new ChainHarness({ agent: { ...agentWith({}), ...before } });
    const { response } = await chain.start("read_file");
    chain.agent = { ...chain.agent, ...after };
    await chain.answer("allow_once");
    return { response: await response, ran: chain.ran };
  }

  it("of a folder, a host or write access is noticed before the run too", async () => {
    const taken = [
      [{ roots: [ROOT] }, { roots: [] }],
      [{ roots: [{ ...ROOT, ends_at: Number.MAX_SAFE_INTEGER }] }, { roots: [] }],
      [{ roots: [ROOT] }, { roots: [{ ...ROOT, access: "read" }] }],
      [{ roots: [ROOT] }, { roots: [{ ...ROOT, path: "/home/eve" }] }],
      [{ hosts: [HOST] }, { hosts: [] }],
      [{ hosts: [HOST] }, { hosts: [{ ...HOST, port: 81 }] }],
    ] as const;
    for (const [before, after] of taken) {
      const { response, ran } = await approvedOver(before, after);
      expect(response).toMatchObject({ status: "denied", reason: "permission_revoked" });
      expect(ran).toEqual([]);
    }
  });

  it("of another host does not affect a call", async () => {
    const other = { ...HOST, host: "nas.local" };
    const { response, ran } = await approvedOver({ hosts: [HOST] }, { hosts: [other, HOST] });
    expect(response).toMatchObject({ status: "ok" });
    expect(ran).toHaveLength(1);
  });

  it("is not what a folder's time running out is: a call that needs another one runs", async () => {
    const chain = new ChainHarness();
    const ends_at = chain.time.now() + 900_000;
    const for15Minutes = { ...ROOT, root_id: "root-2", path: "/tmp/notes", ends_at };
    chain.agent = { ...chain.agent, roots: [for15Minutes, ROOT] };
    const { response } = await chain.start("read_file");
    chain.time.pass(900_000);
    chain.agent = { ...chain.agent, roots: [ROOT] };
    await chain.answer("allow_once");
    expect(await response).toMatchObject({ status: "ok" });
    expect(chain.ran.map(({ context }) => context.roots)).toEqual([[ROOT]]);
  });

  it("of nothing gives a call the current grants, even where a folder inside now has less", async () => {
    const narrow = { ...ROOT, root_id: "root-2", path: "/home/ada/kept", access: "read" } as const;
    const { response, ran } = await approvedOver({ roots: [ROOT] }, { roots: [ROOT, narrow] });
    expect(response).toMatchObject({ status: "ok" });
    expect(ran.map(({ context }) => context.roots)).toEqual([[ROOT, narrow]]);
  });

  it("of a folder while the arguments are still checked is noticed within a quiet period", async () => {
    const chain = new ChainHarness({ agent: { ...agentWith({}), roots: [ROOT] } });
    await chain.answered("allow_in_conversation", "read_file");
    const validate = async () => {
      chain.agent = { ...chain.agent, roots: [] };
      return { kind: "valid" } as const;
    };
    const ports = { ...chain.ports, validator: { validate } };
    const response = handleCall(ports, callTo("read_file"));
    expect(await response).toMatchObject({ status: "denied", reason: "permission_revoked" });
    expect(chain.ran).toHaveLength(1);
  });
});
