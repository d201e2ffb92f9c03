#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the built site: links, resources, the reference, the search, and how it looks.

    site_test.py SITE SCREENSHOTS   SCREENSHOTS receives pictures of some pages
    site_test.py --self-test        plants each kind of broken link and demands that it is found
"""
import functools
import html.parser
import http.server
import pathlib
import sys
import tempfile
import threading
import time
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.resources, self.anchors = [], [], set()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given[key] for key in ("id", "name") if given.get(key)}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and given.get("rel") not in ("canonical", "prev", "next"):
            self.resources.append(given.get("href", ""))
        elif tag in ("script", "img", "iframe", "source") and "src" in given:
            self.resources.append(given["src"])


@functools.lru_cache(maxsize=None)
def read(path):
    page = Page()
    page.feed(path.read_text())
    return page


def broken_links(site):
    """The complaints about links and resources of all pages, and the number of links."""
    complaints, seen = [], 0
    for path in sorted(site.rglob("*.html")):
        if path.name == "404.html":
            continue  # its links are those of the server's root
        page = read(path)
        for target, resource in [(t, False) for t in page.links] + [(t, True) for t in page.resources]:
            parts = urllib.parse.urlsplit(target)
            where = f"{path.relative_to(site)}: {target}"
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                if resource:
                    complaints.append(f"{where}: the page needs the network")
                continue
            seen += 1
            file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if file.is_dir():
                file /= "index.html"
            if not file.is_file():
                complaints.append(f"{where}: there is no such file")
            elif parts.fragment and file.suffix == ".html" and file.parent.name != "playground" \
                    and urllib.parse.unquote(parts.fragment) not in read(file).anchors | {"__skip"}:
                complaints.append(f"{where}: there is no such place")
    return complaints, seen


def self_test():
    planted = {'<a href="none.html">': "no such file", '<a href="b.html#none">': "no such place",
               '<img src="https://example.org/a.png">': "needs the network", '<script src="a.js">': "no such file",
               '<a href="b.html#there">': None, '<a href="#here"><p id="here">': None, '<a href="https://example.org">': None}
    wrong = []
    for text, wanted in planted.items():
        with tempfile.TemporaryDirectory() as folder:
            site = pathlib.Path(folder).resolve()
            (site / "a.html").write_text(text)
            (site / "b.html").write_text('<h2 id="there">')
            found, _ = broken_links(site)
            if (wanted is None) != (not found) or wanted and wanted not in found[0]:
                wrong.append(f"{text}: {found}")
        read.cache_clear()
    print("\n".join(wrong) or "as demanded")
    return 1 if wrong else 0


def in_a_browser(site, pictures):
    """Searches and looks at pages through a server, as visitors do; returns complaints."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    complaints = []
    try:
        for word, wanted in (("swizzle", "swizzle"), ("coalesced", "coalesced"), ("wavefront", "wavefront")):
            driver.get(address + "index.html")
            field = driver.find_element(By.CSS_SELECTOR, ".md-search__input")
            driver.execute_script("document.querySelector('[data-md-toggle=search]').checked = true; arguments[0].focus()", field)
            field.send_keys(word)
            end, results = time.time() + 20, []
            while not results and time.time() < end:
                results = driver.find_elements(By.CSS_SELECTOR, ".md-search-result__item")
                time.sleep(.1)
            if not results or wanted not in driver.page_source.lower():
                complaints.append(f"the search for {word} finds nothing")
        pages = {"home": "index.html", "glossary": "docs/glossary.html", "reference": "reference/index.html",
                 "header": "reference/mmm/layout/swizzle.html"}
        for width in (400, 1200):
            for dark in (False, True):
                driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                       {"width": width, "height": 1200, "deviceScaleFactor": 1, "mobile": False})
                driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                    "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
                for name, page in pages.items():
                    driver.get(address + page)
                    driver.execute_script("localStorage.clear()")  # as at a first visit
                    driver.refresh()
                    time.sleep(.3)
                    paper = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
                    if (sum(int(x) for x in paper[paper.index("(") + 1:-1].split(",")[:3]) < 3 * 80) != dark:
                        complaints.append(f"{page}: the paper is {paper}, {'dark' if dark else 'light'} was asked for")
                    if driver.execute_script("return document.documentElement.scrollWidth - innerWidth") > 0:
                        complaints.append(f"{page}: something stands beyond the edge at {width} pixels")
                    driver.save_screenshot(str(pictures / f"site-{name}-{width}-{'dark' if dark else 'light'}.png"))
    finally:
        driver.quit()
        server.shutdown()
    return complaints


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    site, pictures = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    pictures.mkdir(parents=True, exist_ok=True)
    complaints, seen = broken_links(site)
    complaints += in_a_browser(site, pictures)
    print("\n".join(complaints[:50]))
    print(f"{len(list(site.rglob('*.html')))} pages, {seen} links, {len(complaints)} complaints")
    return 1 if complaints else 0


sys.exit(main())
