curl --silent --fail-with-body "$AGENT_HOST_URL/api/v1/chat" \
  -H "Authorization: Bearer $AGENT_HOST_KEY" \
  -H "Content-Type: application/json" \
  -d '{"model": "anthropic/claude-sonnet-5-5", "messages": [{"role": "user", "content": "Hello"}]}'
