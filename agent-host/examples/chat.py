import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["AGENT_HOST_URL"] + "/api/v1/chat",
    headers={
        "Authorization": "Bearer " + os.environ["AGENT_HOST_KEY"],
        "Content-Type": "application/json",
    },
    data=json.dumps({
        "model": "anthropic/claude-sonnet-5-5",
        "messages": [{"role": "user", "content": "Hello"}],
    }).encode(),
)
with urllib.request.urlopen(request) as response:
    for message in json.load(response)["data"]["messages"]:
        for part in message["parts"]:
            print(part.get("text") or part)
