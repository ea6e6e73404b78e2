/* page.c - the frame of the HTML pages, style and script, and the parts that they share. */
#include "page.h"

/* Light or dark as the reader's system is. Verdicts are told by words and signs; colour only helps. */
static const char *const style[] = {
    ":root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--faint:#59636e;--line:#d1d9e0;--panel:#f6f8fa;"
    "--link:#0b5cad;--good:#1a7f37;--bad:#b3261e;--warn:#8a5a00;--add:#dafbe1;--del:#ffebe9}\n",
    "@media(prefers-color-scheme:dark){:root{--back:#0f1318;--text:#e6e9ec;--faint:#9aa5b1;--line:#39424d;"
    "--panel:#181e25;--link:#7ab7ff;--good:#5bd07a;--bad:#ff8f87;--warn:#e0b050;--add:#12351d;--del:#4a1a18}}\n",
    "body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--back);color:var(--text);"
    "font:1rem/1.5 system-ui,sans-serif}\n",
    "a{color:var(--link)}h1{font-size:1.6rem}h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}\n",
    "code{overflow-wrap:anywhere}code,pre{font:.875em/1.45 ui-monospace,monospace}pre{margin:.25rem 0 "
    "1rem;padding:.6rem;overflow:auto;"
    "background:var(--panel);border:1px solid var(--line);border-radius:4px}\n",
    ".scroll{overflow-x:auto}table{border-collapse:collapse}th,td{padding:.25rem .7rem;border:1px solid var(--line);"
    "text-align:left;vertical-align:top}thead th,tbody th{background:var(--panel);font-weight:600}\n",
    "details{margin:.15rem 0}summary{cursor:pointer;overflow-wrap:anywhere}"
    "details details{margin-left:1.2rem}.vector>div{margin-left:1.2rem;border-left:3px solid var(--line);"
    "padding-left:.8rem}\n",
    "[id]{scroll-margin-top:4rem}:target>summary{outline:2px solid var(--link);outline-offset:2px}\n",
    ".expected{color:var(--good)}.different{color:var(--bad);font-weight:600}.known,.not-judged{color:var(--warn)}"
    ".skipped,.absent,.note{color:var(--faint)}\n",
    ".counts span{margin-right:.4rem;white-space:nowrap}summary .counts{border-right:1px solid "
    "var(--line);margin-right:.5rem}.marks{white-space:nowrap;margin-right:.5rem}\n",
    ".diff ins,.diff del,.diff span{display:block;text-decoration:none}.diff ins{background:var(--add)}"
    ".diff del{background:var(--del)}\n",
    ".filter{position:sticky;top:0;padding:.5rem "
    "0;background:var(--back)}input,select{font:inherit;margin-right:1rem}\n",
    "@media print{.filter{display:none}}\n",
};

/* A link opens what it leads to; the filter hides vectors, and clauses and families without any left. */
static const char *const script[] = {
    "(function(){'use strict';\n",
    "function reveal(){var t=document.getElementById(decodeURIComponent(location.hash.slice(1)));if(!t)return;\n",
    "for(var e=t;e;e=e.parentElement){e.hidden=false;if(e.tagName==='DETAILS')e.open=true}t.scrollIntoView()}\n",
    "addEventListener('hashchange',reveal);reveal();\n",
    "var search=document.getElementById('search'),show=document.getElementById('show'),"
    "shown=document.getElementById('shown');\n",
    "if(!search)return;\n",
    "function filter(){var n=0,words=search.value.toLowerCase().split(/\\s+/),wanted=show.value;\n",
    "document.querySelectorAll('.vector').forEach(function(v){var name=v.dataset.name;\n",
    "v.hidden=!(words.every(function(x){return name.indexOf(x)>=0})&&(!wanted||"
    "v.dataset.verdicts.split(' ').indexOf(wanted)>=0));n+=!v.hidden});\n",
    "['.clause','.family'].forEach(function(s){document.querySelectorAll(s).forEach(function(c){"
    "c.hidden=!c.querySelector('.vector:not([hidden])')})});\n",
    "shown.textContent=n+(n===1?' vector':' vectors')}\n",
    "search.addEventListener('input',filter);show.addEventListener('change',filter);filter()})();\n",
};

void page_begin(writer *w, const char *title) {
  write_plain(w, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
                 "'unsafe-inline'; script-src 'unsafe-inline'\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<link rel=\"icon\" href=\"data:,\">\n<title>");
  write_html(w, title);
  write_plain(w, "</title>\n<style>\n");
  for (size_t i = 0; i < sizeof style / sizeof *style; i++)
    write_plain(w, style[i]);
  write_plain(w, "</style>\n</head>\n<body>\n");
}

void page_end(writer *w) {
  write_plain(w, "<script>\n");
  for (size_t i = 0; i < sizeof script / sizeof *script; i++)
    write_plain(w, script[i]);
  write_plain(w, "</script>\n</body>\n</html>\n");
}

/* ---- Verdicts ---- */

static bool is_skipped(const record_result *result) {
  return result->verdict == RUN_NEUTRAL && result->outcome == RUN_SKIPPED;
}

const char *html_verdict_class(const record_result *result) {
  return result->verdict == RUN_EXPECTED ? "expected"
         : result->verdict == RUN_KNOWN  ? "known"
         : record_differs(result)        ? "different"
         : is_skipped(result)            ? "skipped"
                                         : "not-judged";
}

const char *html_verdict_sign(const record_result *result) {
  return result->verdict == RUN_EXPECTED ? "✓"
         : result->verdict == RUN_KNOWN  ? "~"
         : record_differs(result)        ? "✗"
         : is_skipped(result)            ? "–"
                                         : "○";
}

static void write_count(writer *w, const char *class, const char *sign, const char *words, size_t count) {
  if (count)
    write_format(w, "<span class=\"%s\" title=\"%zu %s\">%s %zu</span> ", class, count, words, sign, count);
}

void html_counts(writer *w, const record_counts *counts) {
  write_count(w, "expected", "✓", "as expected", counts->as_expected);
  write_count(w, "different", "✗", "different", counts->different);
  write_count(w, "known", "~", "known to fail", counts->known);
  write_count(w, "skipped", "–", "skipped", counts->skipped);
  write_count(w, "not-judged", "○", "not judged", counts->not_judged);
}

void html_run_name(writer *w, const record *r) {
  write_html(w, r->implementation);
  write_plain(w, " ");
  write_html(w, r->version);
  write_plain(w, ", profile ");
  write_html(w, r->profile);
  for (size_t i = 0; i < r->choice_count; i++) {
    write_plain(w, i ? ", " : " with ");
    write_html(w, r->choices[i]);
  }
}

void html_link(writer *w, const char *kind, const char *name) {
  write_format(w, "<a href=\"#%s-", kind);
  write_html(w, name);
  write_plain(w, "\"><code>");
  write_html(w, name);
  write_plain(w, "</code></a>");
}
