import { connect, manifestFor } from "@consentry/agent-sdk";

const manifest = manifestFor(["read_file"], {
  name: "Reader",
  version: "1.0.0",
  scopes: { "filesystem:read": { description_fallback: "To read the notes you name" } },
});

// The first time, the person adds the agent. Afterwards its credentials are stored.
const agent = await connect("Reader", manifest, {
  baseUrl: process.env.HASHEE_BASE_URL ?? "http://127.0.0.1:4800",
});

// The person may need time to read the request and decide.
const path = process.env.NOTES_PATH ?? "/tmp/notes.md";
const file = await agent.callTool("read_file", { path }, { timeoutMs: 120_000 });
console.log(file.content);
await agent.send({ type: "text", text: "I have read your notes. Thank you!" });
agent.disconnect();
