#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens the playground in headless Chromium and uses it as a visitor does.

    playground_test.py FOLDER SCREENSHOTS [MMM_EXPLORE]

FOLDER holds the built page, the folder above it the site, whose first page shows the playground.
Pictures go to the folder SCREENSHOTS. Kernels are compared with those of the program MMM_EXPLORE.
"""
import functools
import http.server
import pathlib
import subprocess
import sys
import threading
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

folder = pathlib.Path(sys.argv[1]).resolve()
page = (folder / "index.html").as_uri()
pictures = pathlib.Path(sys.argv[2])


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder.parent))
threading.Thread(target=server.serve_forever, daemon=True).start()
first_page = f"http://127.0.0.1:{server.server_port}/index.html"  # its search needs a server
first_picture_ms = 1000
passed, failures = [], []


def check(holds, what):
    (passed if holds else failures).append(what)
    if not holds:
        print("  FAILED  " + what)


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)

    def look(self, width, height=900, dark=False):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def open(self, state="", page=page):
        self.driver.get("about:blank")
        self.driver.get(page + state)
        if page == first_page:
            self.driver.switch_to.frame("playground")
        self.wait_until("return document.documentElement.dataset.ready !== undefined")

    def wait_until(self, script, *arguments, seconds=20):
        end = time.time() + seconds
        while not (holds := self.run(script, *arguments)) and time.time() < end:
            time.sleep(.05)
        return holds

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, id):
        return self.run("return document.getElementById(arguments[0]).textContent", id)

    def value(self, id):
        return self.run("return document.getElementById(arguments[0]).value", id)

    def type(self, id, text):
        element = self.driver.find_element(By.ID, id)
        element.send_keys(Keys.CONTROL + "a")
        element.send_keys(text)

    def keys(self, *keys):
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def focused(self):
        return self.driver.switch_to.active_element.get_attribute("id")

    def tab_to(self, id):
        """Presses the tabulator until the element has the focus: False if it never has."""
        for _ in range(60):
            if self.focused() == id:
                return True
            self.keys(Keys.TAB)
        return False

    def cells(self, kind, picture="picture"):
        return self.run("return document.querySelectorAll(`#${arguments[1]} rect.${arguments[0]}`).length", kind, picture)

    def colour(self, id, property):
        return self.run("return getComputedStyle(document.getElementById(arguments[0]))[arguments[1]]", id, property)

    def shoot(self, name, width, dark):
        height = self.run("return document.documentElement.scrollHeight")
        self.look(width, height, dark)
        self.driver.save_screenshot(str(pictures / (name + ".png")))
        self.look(width, 900, dark)


def luminance(colour):
    parts = [float(x) / 255 for x in colour[colour.index("(") + 1:-1].split(",")[:3]]
    red, green, blue = (x / 12.92 if x <= .03928 else ((x + .055) / 1.055) ** 2.4 for x in parts)
    return .2126 * red + .7152 * green + .0722 * blue


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + .05) / (low + .05)


def typed_input(browser):
    browser.open()
    check(browser.text("takes") == "32 stages" and browser.cells("clash") == 32, "a column is a conflict of 32 lanes")
    browser.type("pattern", "i * 33")
    check(browser.text("takes") == "1 stage" and browser.cells("served") == 32, "typed: a stride of 33 takes one stage")
    check("(mmm::item * 33) == 1" in browser.text("assertion"), "the assertion follows")
    check("p=i+*+33" in browser.run("return location.hash"), "the address bar follows")
    browser.type("pattern", "i * 6")
    browser.type("width", "16")
    check(browser.text("takes") == "2 stages", "typed: a width of 16")
    browser.open("#m=h200&b=16&p=i*128")
    check(browser.text("takes") == "32 wavefronts", "a link opens a GPU's 16-byte loads")
    browser.run("document.getElementById('swizzle').click()")
    check(browser.text("takes") == "4 wavefronts" and "^" in browser.value("pattern"), "a swizzle is picked")
    browser.open("#m=rtx4090&s=global&p=i*12")
    check(browser.text("takes") == "12 sectors" and browser.cells("served") == 32, "sectors of global memory")
    browser.run("const pad = document.getElementById('pad'); pad.value = 3; pad.dispatchEvent(new Event('input'))")
    check("pad=3" in browser.run("return location.hash") and "/ 128 * 12" in browser.text("padded"), "padding in bytes")
    state = browser.run("return location.hash")
    figure = browser.text("takes")
    browser.open(state)
    check(browser.text("takes") == figure and browser.value("pad") == "3", "the link opens the same page again")
    browser.open("#p=i%20%25%202%20%3D%3D%200%20%3F%20i%20%3A%20none")
    check(browser.cells("served") == 16, "lanes that access nothing are not drawn")


def wrong_input(browser):
    browser.open()
    browser.type("pattern", "i * ")
    check("column" in browser.text("pattern-error") and "expected" in browser.text("pattern-error"),
          "a pattern that ends too early: " + browser.text("pattern-error"))
    check(browser.driver.find_element(By.ID, "pattern").get_attribute("aria-invalid") == "true", "the field is marked")
    check(browser.run("return document.getElementById('copy').disabled"), "nothing can be copied then")
    browser.type("pattern", "i * x")
    check('"x"' in browser.text("pattern-error"), "an unknown name: " + browser.text("pattern-error"))
    browser.type("pattern", "i - 3")
    check("-3" in browser.text("pattern-error"), "a negative address: " + browser.text("pattern-error"))
    browser.type("pattern", "<b>i</b>")
    check(browser.text("pattern-error") != "" and browser.run("return document.querySelectorAll('b').length") == 0,
          "markup is text")
    browser.type("pattern", "i")
    check(browser.text("pattern-error") == "" and browser.text("takes") == "1 stage", "the message goes away")
    browser.type("width", "0")
    check("--width" in browser.text("width-error") and browser.text("pattern-error") == "",
          "the message stands beside the width: " + browser.text("width-error"))
    browser.type("width", "32")
    browser.type("items", "99999999999")
    check("--size" in browser.text("items-error"), "too many items: " + browser.text("items-error"))
    browser.type("an", "0")
    check("size" in browser.text("rounds-error"), "the algorithm's size: " + browser.text("rounds-error"))
    browser.open("#m=nothing&w=x&pad=many&round=7777&a=&k=hmm&p=i")
    check(browser.text("takes") != "", "a broken link opens, too")
    browser.open("#m=h200&b=16&p=i*4")
    check("aligned" in browser.text("pattern-error") or "multiple" in browser.text("pattern-error"),
          "not aligned: " + browser.text("pattern-error"))


def keyboard_only(browser):
    browser.open()
    check(browser.tab_to("pattern"), "the tabulator reaches the pattern")
    browser.keys(Keys.CONTROL + "a", "i * 16")
    check(browser.text("takes") == "16 stages", "typed")
    check(browser.tab_to("machine"), "the tabulator reaches the machine")
    browser.keys("UMM")
    check(browser.value("machine") == "umm" and browser.text("takes") == "16 stages", "a machine is chosen by its letters")
    time.sleep(1.2)  # letters that follow each other at once are one word
    browser.keys("DMM")
    check(browser.tab_to("pad"), "the tabulator reaches the slider")
    browser.keys(Keys.ARROW_RIGHT)
    check(browser.value("pad") == "1" and browser.text("takes") == "1 stage", "an arrow moves the slider")
    browser.keys(Keys.ARROW_LEFT)
    check(browser.tab_to("swizzle"), "the tabulator reaches the swizzle")
    browser.keys(Keys.ENTER)
    check(browser.text("takes") == "1 stage", "Enter picks it")
    check(browser.tab_to("copy"), "the tabulator reaches the copy")
    browser.keys(Keys.ENTER)
    time.sleep(.3)
    check(browser.text("copied") != "", "Enter copies: " + browser.text("copied"))
    check(browser.tab_to("next"), "the tabulator reaches the rounds")
    browser.keys(Keys.ENTER, Keys.ENTER)
    check(browser.text("round-why").startswith("Round 3 of 18: 2 stages and latency 5"), browser.text("round-why"))
    check(browser.cells("written", "memory") == 8, "the third round writes eight words")
    outline = browser.run("return getComputedStyle(document.activeElement).outlineStyle")
    check(outline == "solid", "the focus is seen")


def algorithms(browser):
    names = browser.run("return [...document.getElementById('algorithm').options].map((o) => o.value)")
    check(len(names) >= 4, f"{len(names)} algorithms")
    for name in names:
        browser.open(f"#a={name}&an=8&at=4&round=2")
        check(browser.text("rounds-error") == "" and browser.text("round-why").startswith("Round 2 of "),
              f"{name}: {browser.text('total')}")


def looks(browser):
    states = {"conflict": "", "wide": "#m=h200&b=16&p=i*128&round=5", "sectors": "#m=h100&s=global&p=i*12&a=transpose-diagonal&an=8",
              "kernel": "#e=image-convolution&ev=2&es=4096"}
    for width in (400, 1200):
        for dark in (False, True):
            browser.look(width, 900, dark)
            for name, state in states.items():
                browser.open(state)
                if name == "kernel":
                    check(browser.wait_until("return document.getElementById('save-kernel').href !== ''"), "a kernel is shown")
                beyond = browser.run("return document.documentElement.scrollWidth - innerWidth")
                kind = f"{name}, {width} pixels, {'dark' if dark else 'light'}"
                check(beyond <= 0, f"{kind}: nothing stands beyond the edge ({beyond})")
                body = browser.run("return getComputedStyle(document.body).backgroundColor")
                check((luminance(body) < .1) == dark, f"{kind}: the paper is {body}")
                for id in ("takes", "legend", "why", "summary"):
                    ratio = contrast(browser.colour(id, "color"), body)
                    check(ratio >= 4.5, f"{kind}: the contrast of {id} is {ratio:.1f}")
                for cell in ("served", "clash", "written"):
                    ink = browser.run("const t = document.querySelector(`text.${arguments[0]}-text`);"
                                      "return t && [getComputedStyle(t).fill, getComputedStyle(t.previousSibling).fill]", cell)
                    if ink:
                        check(contrast(*ink) >= 4.5, f"{kind}: the contrast of a {cell} cell is {contrast(*ink):.1f}")
                browser.shoot(f"playground-{name}-{width}-{'dark' if dark else 'light'}", width, dark)
    browser.look(1200)


def on_the_first_page(browser):
    """The playground in a frame of the site's first page, which has the address bar."""
    browser.open(page=first_page)
    check(browser.text("takes") == "32 stages", "the first page shows the playground")
    browser.type("pattern", "i * 33")
    check(browser.text("takes") == "1 stage", "typed on the first page")
    browser.run("document.querySelector('#rounds summary').click()")
    check(browser.wait_until("return document.querySelectorAll('#memory rect.served').length === 8"), "an algorithm's rounds unfold")
    browser.driver.switch_to.default_content()
    check(browser.wait_until("return location.hash === '#p=i+*+33'"), "its address bar follows: " + browser.run("return location.hash"))
    check(browser.wait_until("const f = document.getElementById('playground');"
                             "return f.clientHeight > 1200 && f.clientHeight < 3000"), "the frame is as high as the playground")
    browser.open("#m=h200&b=16&p=i*128", first_page)
    check(browser.text("takes") == "32 wavefronts", "a link to the first page opens what it shows")
    browser.driver.switch_to.default_content()
    browser.run("location.hash = '#p=i+*+16'")
    browser.driver.switch_to.frame("playground")
    check(browser.wait_until("return document.getElementById('takes').textContent === '16 stages'"), "another link on the open page")
    paper = "return getComputedStyle(document.body).backgroundColor"
    for dark in (True, False):
        browser.driver.switch_to.default_content()
        browser.run("document.body.dataset.mdColorScheme = arguments[0]", "slate" if dark else "default")
        browser.driver.switch_to.frame("playground")
        check(browser.wait_until(paper + f" === '{'rgb(46, 48, 62)' if dark else 'rgb(255, 255, 255)'}'"), f"the site's switch: {browser.run(paper)}")
    for width in (400, 1400):
        for dark in (False, True):
            browser.look(width, 900, dark)
            browser.driver.switch_to.default_content()
            browser.run("localStorage.clear()")  # as at a first visit
            browser.open(page=first_page)
            inside, ink = browser.run(paper), browser.colour("least", "color")
            browser.driver.switch_to.default_content()
            check(browser.run(paper) == inside and (luminance(inside) < .1) == dark and contrast(ink, inside) > 4.5,
                  f"the first page, {width} pixels, dark {dark}: its paper is {browser.run(paper)}, the frame's {inside}, its ink {ink}")
            beyond = browser.run("return document.documentElement.scrollWidth - innerWidth")
            check(beyond <= 0, f"the first page, {width} pixels: nothing stands beyond the edge ({beyond})")
            browser.shoot(f"first-page-{width}-{'dark' if dark else 'light'}", width, dark)
    browser.look(1200)


def first_picture(browser):
    """The best of several, for other programs may take the processor."""
    for name, where in (("playground", page), ("first page", first_page)):
        times = []
        for _ in range(5):
            browser.open(page=where)
            drawn = browser.run("return performance.timeOrigin + Number(document.documentElement.dataset.firstPicture)")
            browser.driver.switch_to.default_content()  # the page that may have it in a frame
            times.append(round(drawn - browser.run("return performance.timeOrigin")))
        print(f"  {name}: the first picture comes after {min(times)} ms")
        check(min(times) < first_picture_ms, f"{name}: the first picture comes within {first_picture_ms} ms ({min(times)})")


def kernels(browser):
    loaded = "return performance.getEntriesByType('resource').some((r) => r.name.endsWith('mmm_kernels.js'))"
    ready = "return document.getElementById('save-kernel').href !== '' && !document.getElementById('copy-kernel').disabled"
    browser.open()
    check(not browser.run(loaded), "the program of the kernels is not loaded before it is needed")
    for state, arguments in (("#e=sum&eg=h200", ["sum", "--gpu", "h200", "--type", "float"]),
                             ("#e=convolution&eg=a100&es=65536&em=5", ["convolution", "--gpu", "a100", "--size", "65536",
                                                                       "--type", "float", "--taps", "5"])):
        browser.open(state)
        there = browser.wait_until(ready)
        check(there and browser.text("kernel-command") == "mmm-explore emit " + " ".join(arguments), f"{state}: a kernel is shown")
        if explore:
            done = subprocess.run([explore, "emit", *arguments], capture_output=True, text=True, check=True)
            check(browser.text("kernel") == done.stdout, f"{state}: the kernel is that of mmm-explore emit")
    refused = "return document.getElementById(arguments[0] + '-error').textContent.includes(arguments[1])"
    for id, wrong, right, text in (("kernel-size", "0", "4096", "--size is 0"), ("taps", "5000", "7", "--taps is 5000")):
        browser.type(id, wrong)
        check(not browser.run(ready), f"{id}: what is shown is not for what is typed, and cannot be copied")
        check(browser.wait_until(refused, id, text) and browser.text("kernel-error") == "", f"the message stands beside {id}")
        check(not browser.run(ready) and browser.text("kernel-status") == "", f"{id}: nothing can be copied then")
        check(browser.driver.find_element(By.ID, id).get_attribute("aria-invalid") == "true", f"{id} is marked")
        browser.type(id, right)
        check(browser.wait_until(ready) and browser.text(id + "-error") == "" and right in browser.text("kernel"), f"typed: another {id}")
    check("es=4096" in browser.run("return location.hash"), "the address bar follows the size")
    box = browser.run("const k = document.getElementById('kernel'); return [k.clientHeight, k.scrollHeight]")
    check(box[0] < 700 < box[1], f"a long kernel scrolls in its box: {box}")
    browser.open()
    browser.run("document.querySelector('#kernels > summary').focus()")
    browser.keys(Keys.ENTER)
    check(browser.wait_until(ready), "Enter opens the kernels")
    check(browser.tab_to("problem"), "the tabulator reaches the problem")
    browser.keys("tr")
    check(browser.value("problem") == "transpose" and browser.wait_until(ready) and "transpose" in browser.text("kernel-command"),
          "a problem is chosen by its letters")
    check(browser.tab_to("copy-kernel"), "the tabulator reaches the copy of the kernel")
    browser.keys(Keys.ENTER)
    check(browser.wait_until("return document.getElementById('kernel-copied').textContent !== ''"), "Enter copies the kernel")
    check(browser.tab_to("save-kernel") and browser.tab_to("kernel"), "the tabulator reaches the file and the box that scrolls")


def kernels_beside_the_page(browser):
    """Predictions run in a worker: the page goes on meanwhile, and shows a worker's failure."""
    state, ready = "#e=summed-area", "return document.getElementById('save-kernel').href !== ''"
    browser.open(state)
    check(browser.wait_until(ready), "a kernel is shown whose prediction takes seconds for large sizes")
    browser.run("""
        window.watched = {longest: 0, begin: 0, end: 0};
        const status = document.getElementById('kernel-status'), post = Worker.prototype.postMessage;
        let last = performance.now();
        setInterval(() => {
          const now = performance.now();
          watched.longest = Math.max(watched.longest, now - last);
          last = now;
        }, 10);
        Worker.prototype.postMessage = function(given) { watched.begin = performance.now(); post.call(this, given); };
        new MutationObserver(() => { if (status.textContent === '') watched.end = performance.now(); })
          .observe(status, {childList: true});""")
    browser.type("kernel-size", "8192")
    check(browser.wait_until("return watched.begin > 0"), "a worker is asked")
    browser.type("pattern", "i * 33")
    check(browser.text("takes") == "1 stage" and not browser.run(ready), "the page answers during a prediction")
    check(browser.wait_until(ready, seconds=100) and "8192" in browser.text("kernel-command"), "then the kernel is shown")
    watched = browser.run("return watched")
    took = watched["end"] - watched["begin"]
    print(f"  a prediction takes {took:.0f} ms, the page pauses for at most {watched['longest']:.0f} ms")
    check(watched["longest"] < .8 * took, f"the page does not wait for a prediction of {took:.0f} ms: {watched['longest']:.0f} ms")
    browser.run("""
        watched.begin = watched.shown = 0;
        new MutationObserver(() => ++watched.shown).observe(document.getElementById('kernel'), {childList: true});""")
    browser.type("kernel-size", "16384")
    browser.wait_until("return watched.begin > 0")
    browser.run("const p = document.getElementById('problem'); p.value = 'sum'; p.dispatchEvent(new Event('input'))")
    check(browser.wait_until(ready) and browser.text("kernel-command").startswith("mmm-explore emit sum ")
          and browser.run("return watched.shown") == 1, "the last choice is shown, and none before it: " + browser.text("kernel-command"))
    browser.open("#p=i")
    browser.run("""
        window.TrueWorker = Worker;
        window.Worker = class {
          postMessage() { setTimeout(() => this.onerror({message: 'out of order'})); }
          terminate() {}
        };
        document.querySelector('#kernels > summary').click();""")
    failed = "return document.getElementById('kernel-error').textContent === 'The library failed: out of order'"
    check(browser.wait_until(failed) and not browser.run(ready), "a failure is shown: " + browser.text("kernel-error"))
    browser.run("window.Worker = TrueWorker; document.getElementById('problem').dispatchEvent(new Event('input'))")
    check(browser.wait_until(ready) and browser.text("kernel-error") == "", "the next choice begins with a new worker")


explore = sys.argv[3] if len(sys.argv) > 3 else None
pictures.mkdir(parents=True, exist_ok=True)
browser = Browser()
try:
    browser.look(1200)
    for test in (typed_input, wrong_input, keyboard_only, algorithms, kernels, kernels_beside_the_page, looks, on_the_first_page, first_picture):
        before = len(passed) + len(failures)
        test(browser)
        print(f"  {test.__name__}: {len(passed) + len(failures) - before} checks")
    severe = [entry["message"] for entry in browser.driver.get_log("browser") if entry["level"] == "SEVERE"]
    check(not severe, f"the console has no errors {severe}")
finally:
    browser.driver.quit()
print(f"{len(passed)} checks passed, {len(failures)} failed; pictures: {pictures}")
sys.exit(1 if failures else 0)
