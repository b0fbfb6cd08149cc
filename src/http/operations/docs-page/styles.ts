/** One style sheet for light and dark, wide and narrow, screen and paper. */
export const STYLES = `
:root {
  color-scheme: light dark;
  --page: #fff; --ink: #1d2430; --soft: #5a6675; --line: #dfe4ea; --edge: #8894a1; --tint: #f5f7f9; --link: #0b5cad;
  --get: #0b6e4f; --post: #0b5cad; --delete: #b3261e; --mark: #fff6d6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --ink: #e3e8ee; --soft: #9aa7b5; --line: #2b333d; --edge: #66727f; --tint: #1a2028; --link: #7ab8ff;
    --get: #5fd3a8; --post: #7ab8ff; --delete: #ff8f86; --mark: #3a3215;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  display: grid; grid-template-columns: 17rem minmax(0, 1fr);
}
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .15em; }
a:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: .5rem 1rem; z-index: 1; }
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.75rem 1.5rem;
  border-right: 1px solid var(--line); background: var(--tint); font-size: .9rem;
}
nav a { color: inherit; text-decoration: none; }
nav a:hover { color: var(--link); text-decoration: underline; }
nav ul { list-style: none; margin: .25rem 0 0; padding: 0; }
nav li a { display: block; padding: .2rem 0; color: var(--soft); }
.brand { margin: 0 0 1.25rem; font-size: 1.15rem; font-weight: 700; letter-spacing: -.01em; }
.brand span { font-size: .8rem; font-weight: 400; color: var(--soft); }
nav .group { margin: .55rem 0 0; font-weight: 600; }
nav summary.group { cursor: pointer; padding-left: .95em; text-indent: -.95em; }
nav summary.group::marker { color: var(--soft); font-size: .8em; }
nav div.part { padding-left: .95em; }
nav details.part ul { padding-left: .95em; }
nav .caption { margin: 1.25rem 0 0; padding-left: .95em; font-size: .8rem; color: var(--soft); }
nav [aria-current] { color: var(--link); }
nav form label { display: block; font-size: .85rem; color: var(--soft); }
nav input {
  display: block; width: 100%; min-height: 2.75rem; margin-top: .25rem; padding: .4rem .7rem; font: inherit; font-size: 1rem;
  color: var(--ink); background: var(--page); border: 1px solid var(--edge); border-radius: .5rem;
}
nav input:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
nav kbd { float: right; font: inherit; font-size: .75rem; border: 1px solid var(--line); border-radius: .25rem; padding: 0 .35rem; }
#found { min-height: 1.4em; margin: .25rem 0 0; font-size: .85rem; color: var(--soft); }
.contents > summary { display: none; }
[hidden], .searching main > :not(.operation, .codes, .links) { display: none !important; }
.searching nav :is(.caption, div.part) { display: none; }
.index h2 a { color: var(--link); }
.code { position: relative; }
.copy {
  position: absolute; top: .45rem; right: .45rem; min-height: 2rem; padding: 0 .7rem; font: inherit; font-size: .8rem; cursor: pointer;
  color: var(--ink); background: var(--page); border: 1px solid var(--edge); border-radius: .4rem; opacity: 0; transition: opacity .12s;
}
.code:hover .copy, .copy:focus-visible { opacity: 1; }
.copy:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.example { margin: .75rem 0; }
.example > input { position: absolute; opacity: 0; }
.example > label {
  display: inline-block; padding: .2rem .8rem; font-size: .85rem; color: var(--soft); border-bottom: 2px solid transparent; cursor: pointer;
}
.example > label:hover { color: var(--ink); }
.example > input:checked + label { color: var(--ink); border-bottom-color: var(--link); font-weight: 600; }
.example > input:focus-visible + label { outline: 2px solid var(--link); outline-offset: -2px; }
.example > .code { display: none; }
.example > .code pre { margin-top: 0; }
.example > [value="curl"]:checked ~ .in-curl,
.example > [value="typescript"]:checked ~ .in-typescript,
.example > [value="python"]:checked ~ .in-python { display: block; }
.also { font-size: .9rem; }
.links { list-style: none; margin: .5rem 0; padding: 0; }
.links.short { columns: 15rem; }
.links li { padding: .25rem 0; overflow-wrap: anywhere; }
.links code { background: none; color: var(--soft); }
.reply summary { cursor: pointer; color: var(--link); font-size: .92rem; padding: .35rem 0; }
.type { color: var(--soft); }
main { padding: 2.5rem clamp(1.25rem, 4vw, 4rem) 6rem; max-width: 62rem; }
h1 { font-size: 2.1rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 .75rem; }
h2 {
  font-size: 1.5rem; letter-spacing: -.01em; margin: 3.5rem 0 .5rem; padding-bottom: .35rem;
  border-bottom: 1px solid var(--line);
}
h3 { font-size: 1.15rem; margin: 2.25rem 0 .4rem; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
h4 { font-size: .95rem; margin: 1.5rem 0 .4rem; color: var(--soft); font-weight: 600; }
p { margin: .5rem 0; max-width: 44rem; }
.lead { font-size: 1.1rem; color: var(--soft); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
code { font-size: .875em; background: var(--tint); border-radius: .25rem; padding: .1em .3em; overflow-wrap: anywhere; }
pre {
  background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; padding: .85rem 1rem;
  overflow-x: auto; font-size: .95rem; line-height: 1.55; margin: .75rem 0;
}
pre code { background: none; padding: 0; }
.route { margin: .25rem 0 .5rem; overflow-wrap: anywhere; }
.route code { background: none; padding: 0; font-size: .95rem; }
.method { display: inline-block; font-size: .8rem; font-weight: 700; letter-spacing: .03em; margin-right: .35rem; }
.get { color: var(--get); } .post { color: var(--post); } .delete { color: var(--delete); }
.status { font-weight: 600; font-variant-numeric: tabular-nums; margin-right: .35rem; }
.fine { color: var(--get); } .failed { color: var(--delete); }
.reply { margin: .35rem 0 1rem; }
.table { overflow-x: auto; margin: .5rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .9rem .45rem 0; border-bottom: 1px solid var(--line); }
thead th { font-size: .8rem; font-weight: 600; color: var(--soft); }
tbody th { font-weight: 400; white-space: nowrap; width: 26%; }
td:nth-child(2) { min-width: 9rem; }
td:nth-child(3) { min-width: 14rem; width: 46%; }
tbody th code { background: none; padding: 0; font-size: .9em; }
.optional { color: var(--soft); font-size: .8rem; }
.codes { margin: .25rem 0; }
.codes div { padding: .6rem 0; border-bottom: 1px solid var(--line); }
.codes dt, .codes dd { margin: 0; }
.codes dt a { text-decoration: none; }
.codes code { background: none; padding: 0; }
.codes .advice { color: var(--soft); font-size: .92rem; }
:target { background: var(--mark); box-shadow: 0 0 0 .5rem var(--mark); border-radius: .1rem; }
section:target, main:target, article:target { background: none; box-shadow: none; }
article:target h2 { background: var(--mark); box-shadow: 0 0 0 .35rem var(--mark); border-radius: .1rem; }
@media (max-width: 52rem) {
  body { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding: 1.25rem; }
  main { padding-top: 1.75rem; }
  .contents > summary { display: list-item; padding: .7rem 0; min-height: 2.75rem; font-weight: 600; cursor: pointer; }
  nav li a, nav .group a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: .3rem 0; }
  .brand a { display: inline-block; padding: .5rem 0; }
  pre { font-size: .85rem; padding-right: 1rem; }
  .copy { position: static; display: block; margin: -.35rem 0 .9rem auto; min-height: 2.75rem; opacity: 1; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tbody tr, tbody th, tbody td { display: block; width: auto; min-width: 0; }
  tbody tr { padding: .6rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td, td:nth-child(2), td:nth-child(3) { padding: 0; border: 0; min-width: 0; width: auto; white-space: normal; overflow-wrap: anywhere; }
  .example > label { min-height: 2.75rem; padding: .6rem .8rem; }
  .links a { display: inline-block; padding: .45rem 0; }
  .reply summary { min-height: 2.75rem; padding: .6rem 0; }
}
@media print { nav, .copy { display: none; } body { display: block; } }
`
