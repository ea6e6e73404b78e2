// A link opens what it leads to; the filter hides vectors, and clauses and families without any left.
(function () {
  'use strict';

  function reveal() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let element = target; element; element = element.parentElement) {
      element.hidden = false;
      if (element.tagName === 'DETAILS') element.open = true;
    }
    target.scrollIntoView();
  }
  addEventListener('hashchange', reveal);
  reveal();

  const [search, show, shown] = ['search', 'show', 'shown'].map(id => document.getElementById(id));
  if (!search) return;

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/), wanted = show.value;
    let count = 0;
    for (const vector of document.querySelectorAll('.vector')) {
      const found = words.every(word => vector.dataset.name.includes(word));
      vector.hidden = !found || (wanted && !vector.dataset.verdicts.split(' ').includes(wanted));
      count += !vector.hidden;
    }
    for (const group of document.querySelectorAll('.clause, .family'))
      group.hidden = !group.querySelector('.vector:not([hidden])');
    shown.textContent = count + (count === 1 ? ' vector' : ' vectors');
  }
  search.addEventListener('input', filter);
  show.addEventListener('change', filter);
  filter();
})();
