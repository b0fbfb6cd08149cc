# Asks for a price, makes a video that never costs more, waits for it and saves it. Python 3.9 or newer, no packages.
# SLUICE_URL and SLUICE_API_KEY name the gateway:  python3 make-video.py vendorA/gen-2.0 clip.mp4
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("SLUICE_URL", "http://127.0.0.1:8080")
KEY = os.environ["SLUICE_API_KEY"]
PAUSE_SECONDS_MAX = 15


def send(method, path, body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    types = {} if body is None else {"content-type": "application/json"}
    request = urllib.request.Request(
        URL + path, data, {"authorization": f"Bearer {KEY}", **types, **headers}, method=method
    )
    try:
        return urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        answer = json.load(error)["error"]
        sys.exit(f"{error.code} {answer['code']}: {answer['message']}")


model, file_name = sys.argv[1:3]
order = {"model": model, "content": [{"type": "text", "text": "A cat on a raft, at dusk"}], "duration": 5}

quote = json.load(send("POST", "/v1/video/quotes", order))
print(f"It costs at most {quote['max_micros'] / 1_000_000:.4f} USD.")

# With the same key a repeated request makes no second video.
task = json.load(
    send(
        "POST",
        "/v1/video/generations",
        {**order, "quote_id": quote["quote_id"]},
        {"idempotency-key": str(uuid.uuid4())},
    )
)

pause = float(os.environ.get("FIRST_PAUSE_SECONDS", "1"))
while task["status"] not in ("succeeded", "failed", "cancelled"):
    time.sleep(pause)
    pause = min(pause * 1.5, PAUSE_SECONDS_MAX)
    task = json.load(send("GET", f"/v1/video/generations/{task['id']}"))
    print(task["status"])
if task["status"] != "succeeded":
    sys.exit(task.get("error", {}).get("message", task["status"]))

# The gateway passes the clip on; the link in the task works too, until it expires.
video_id = task["id"].replace("task_", "video_", 1)
with send("GET", f"/v1/videos/{video_id}/content") as clip, open(file_name, "wb") as file:
    while block := clip.read(65536):
        file.write(block)
print(f"Saved {file_name}.")
