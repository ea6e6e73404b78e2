"""Headless Chromium over its DevTools protocol, through a pipe: pages as a reader sees them."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

DEADLINE = 60  # seconds for one answer; a hung browser must not hang the test


def find():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(prefix="dloc-browser-")
        to_read, self.write = os.pipe()
        self.read, to_write = os.pipe()

        def descriptors():
            # The protocol wants 3 and 4; either may be in the way of the other.
            first, second = os.dup2(to_read, 10), os.dup2(to_write, 11)
            os.dup2(first, 3)
            os.dup2(second, 4)

        command = [program, "--headless=new", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe",
                   "--disable-dev-shm-usage", "--disable-background-networking", f"--user-data-dir={self.profile.name}"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")  # Chromium's sandbox does not start as root
        self.process = subprocess.Popen(command + ["about:blank"], preexec_fn=descriptors, close_fds=False,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.events = b"", 0, []

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, EOFError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.read)
        os.close(self.write)
        self.profile.cleanup()

    def message(self, seconds):
        """The next message, or None after so many seconds."""
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            if not select.select([self.read], [], [], max(0, end - time.monotonic()))[0]:
                return None
            chunk = os.read(self.read, 1 << 20)
            if not chunk:
                raise EOFError("Chromium has ended")
            self.buffer += chunk
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, session=None, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if session:
            request["sessionId"] = session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        while True:
            message = self.message(DEADLINE)
            if message is None:
                raise TimeoutError(f"no answer to {method}")
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)


class Page:
    """A page that was opened; what went wrong in it, and what it asked the network for, is collected."""

    def __init__(self, browser, path, width=1280, height=900):
        self.browser = browser
        self.url = "file://" + os.path.abspath(path)
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(width, height)
        self.call("Page.navigate", url=self.url)
        end = time.monotonic() + DEADLINE
        while not self.saw("Page.loadEventFired"):
            message = browser.message(max(0, end - time.monotonic()))
            if message is None:
                raise TimeoutError(f"{self.url} does not load")
            browser.events.append(message)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def saw(self, *methods):
        return [event["params"] for event in self.browser.events
                if event.get("sessionId") == self.session and event.get("method") in methods]

    def complaints(self):
        """Exceptions, console output, log entries and dialogs."""
        self.evaluate("1")
        return self.saw("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Page.javascriptDialogOpening")

    def requests(self):
        """What was asked for, besides the file itself."""
        self.evaluate("1")
        asked = [event["request"]["url"] for event in self.saw("Network.requestWillBeSent")]
        return [url for url in asked if url.partition("#")[0] != self.url and not url.startswith("data:")]

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']['exception'].get('description')}")
        return answer["result"].get("value")

    def wait(self, condition):
        """Until it holds, also while another page comes."""
        end = time.monotonic() + DEADLINE
        while True:
            try:
                if self.evaluate(condition):
                    return
            except RuntimeError:
                pass
            if time.monotonic() > end:
                raise TimeoutError(condition)
            time.sleep(0.05)

    def click(self, selector):
        """A real click in the middle of the element's first line, once it is there."""
        self.wait(f"!!document.querySelector({json.dumps(selector)})?.getClientRects()[0]")
        x, y = self.evaluate(
            f"(()=>{{const e=document.querySelector({json.dumps(selector)});e.scrollIntoView({{block:'center'}});"
            "const r=e.getClientRects()[0];return [r.x+Math.min(r.width/2,20),r.y+Math.min(r.height/2,10)]})()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path):
        data = base64.b64decode(self.call("Page.captureScreenshot")["data"])
        with open(path, "wb") as file:
            file.write(data)
        return len(data)
