// What the pages of runs and of the specification share: elements are made when they are seen, and a link opens what it leads to.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);

// An element with attributes and children; text is never read as markup.
function make(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) made.setAttribute(name, value);
  made.append(...children.flat().filter(child => child !== null && child !== undefined && child !== ''));
  return made;
}

// A sentence: what stands between backticks is code.
function prose(text) {
  const parts = text.split('`');
  return parts.length % 2 ? parts.map((part, i) => i % 2 ? make('code', {}, part) : part) : [text];
}

// Fill a <details> when it is opened first; its fill() opens it.
function fillWhenOpen(details, fill) {
  let filled = false;
  const opened = () => {
    if (details.open && !filled) fill(details);
    filled ||= details.open;
  };
  details.addEventListener('toggle', opened);
  details.fill = () => { details.open = true; opened(); };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone `%`
  }
}

// Open what the address leads to; prepare makes it, if it is not there yet.
function reveal(prepare) {
  const place = decoded(location.hash.slice(1));
  prepare(place);
  const target = byId(place);
  if (!target) return;
  for (let element = target; element; element = element.parentElement) {
    element.hidden = false;
    if (element.tagName === 'DETAILS') (element.fill || (() => { element.open = true; }))();
  }
  for (const old of document.querySelectorAll('.target')) old.classList.remove('target');
  target.classList.add('target');
  target.scrollIntoView();
}

// Do it for the page's own address, and for each link that is followed, also for one that was followed before.
function revealLinks(prepare) {
  addEventListener('hashchange', () => reveal(prepare));
  addEventListener('click', event => {
    const link = event.target.closest && event.target.closest('a[href^="#"]');
    if (link && link.getAttribute('href') === location.hash) reveal(prepare);
  });
  reveal(prepare);
}
