/**
 * Script of every page: a search over operations and errors, copy buttons, and one language for all examples. It
 * parses no text as HTML and sends no request. The page is complete without it.
 */
export const SCRIPT = `
'use strict';
const all = (selector) => [...document.querySelectorAll(selector)];
const search = document.getElementById('search');
const found = document.getElementById('found');
const targets = all('article.operation, .codes > div, main .links > li');
const texts = new Map(targets.map((target) => [target, target.textContent.toLowerCase()]));
const entries = all('nav li').map((entry) => ({ entry, link: entry.firstElementChild }));
const parts = all('nav details.part').map((part) => ({ part, wasOpen: part.open }));

function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const isSearching = words.length > 0;
  const fits = (text) => words.every((word) => text.includes(word));
  for (const target of targets) target.hidden = !fits(texts.get(target));
  for (const { entry, link } of entries) {
    const here = link.pathname === location.pathname && texts.get(document.getElementById(link.hash.slice(1)));
    entry.hidden = !fits((link.textContent + ' ' + link.title).toLowerCase()) && !(here && fits(here));
  }
  for (const { part, wasOpen } of parts) {
    part.hidden = isSearching && !part.querySelector('li:not([hidden])');
    part.open = isSearching || wasOpen;
  }
  document.body.classList.toggle('searching', isSearching);
  const count = entries.filter(({ entry }) => !entry.hidden).length + targets.filter((one) => !one.hidden && one.id.startsWith('error-')).length;
  found.textContent = !isSearching ? '' : count === 1 ? '1 found' : count + ' found';
}

if (matchMedia('(max-width: 52rem)').matches) document.querySelector('.contents').open = false;
search.closest('form').hidden = false;
search.closest('form').addEventListener('submit', (event) => event.preventDefault());
search.addEventListener('input', filter);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== search) { event.preventDefault(); search.focus(); }
  if (event.key === 'Escape' && document.activeElement === search) { search.value = ''; filter(); }
});

for (const box of all('.code')) {
  const pre = box.firstElementChild;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    button.textContent = (await copy(pre)) ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  box.append(button);
}

async function copy(pre) {
  try {
    await navigator.clipboard.writeText(pre.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(pre);
    return false;
  }
}

const kept = 'sluice-docs-language';
function choose(language) {
  for (const input of all('.example input')) input.checked = input.value === language;
}
try {
  const language = localStorage.getItem(kept);
  if (all('.example input').some((input) => input.value === language)) choose(language);
} catch {}
document.addEventListener('change', ({ target }) => {
  if (!target.closest('.example')) return;
  const before = target.getBoundingClientRect().top;
  choose(target.value);
  scrollBy(0, target.getBoundingClientRect().top - before);
  try { localStorage.setItem(kept, target.value); } catch {}
});
`
