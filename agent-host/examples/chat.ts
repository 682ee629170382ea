const response = await fetch(`${process.env.AGENT_HOST_URL}/api/v1/chat`, {
  method: "POST",
  headers: {
    Authorization: `Bearer ${process.env.AGENT_HOST_KEY}`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    model: "anthropic/claude-sonnet-5-5",
    messages: [{ role: "user", content: "Hello" }],
  }),
});
const { data } = await response.json();
for (const { parts } of data.messages) {
  for (const part of parts) console.log(part.text ?? part);
}
