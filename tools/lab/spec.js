// The page of the specification: one chapter is shown at a time. Tables of vectors are made when they are opened; the contents follow the reader,
// a search finds names in all chapters, a filter shows the clauses of an origin and a level, wherever they are.
(function () {
  const {vectors, marks, runs, names, addresses} = data;
  const side = byId('side'), contents = byId('contents'), chapters = byId('chapters'), search = byId('search'), found = byId('found');
  const MOST_FOUND = 60;
  const narrow = matchMedia('(max-width: 60rem)');
  const place = new Map(vectors.map(vector => ['vector-' + vector.id, vector]));

  // ---- Tables of vectors

  function verdict(vector, run) {
    const mark = marks[vector.kinds[run]];
    return make('td', {class: mark ? mark[0] : 'absent', 'data-label': runs[run]}, mark ? `${mark[1]} ${mark[2]}` : 'not run');
  }

  // A vector has its place in the table of its first clause.
  function row(vector, clause) {
    const name = make('code', {}, vector.id);
    const link = addresses.report ? make('a', {href: `${addresses.report}#vector-${vector.id}`}, name) : name;
    const attempt = addresses.playground ? [' ', make('a', {href: `${addresses.playground}#vector=${encodeURIComponent(vector.id)}`, class: 'try'}, 'try it')] : '';
    return make('tr', {id: clause === vector.clauses[0] ? 'vector-' + vector.id : null},
                make('th', {scope: 'row'}, link, attempt, make('div', {class: 'note'}, prose(vector.note))),
                make('td', {'data-label': 'operation'}, vector.op), make('td', {'data-label': 'level'}, vector.level),
                'confirmed' in vector ? make('td', {'data-label': 'confirmed by'}, vector.confirmed || '-') : null,
                runs.map((_, run) => verdict(vector, run)));
  }

  function table(chosen, label, clause) {
    const inOrder = chosen.toSorted((a, b) => (b.clauses[0] === clause) - (a.clauses[0] === clause)); // its own first
    const heads = ['vector', 'operation', 'level', ...('confirmed' in chosen[0] ? ['confirmed by'] : []), ...runs];
    return make('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label},
                make('table', {class: 'vectors cards'}, make('thead', {}, make('tr', {}, heads.map(text => make('th', {scope: 'col'}, text)))),
                     make('tbody', {}, inOrder.map(vector => row(vector, clause)))));
  }

  function groupBy(key) {
    const groups = new Map();
    for (const vector of vectors)
      for (const name of vector[key])
        groups.has(name) ? groups.get(name).push(vector) : groups.set(name, [vector]);
    return groups;
  }

  const byClause = groupBy('clauses'), byChoice = groupBy('choices');
  for (const details of document.querySelectorAll('.trace')) {
    const {clause, choice} = details.dataset;
    const chosen = clause ? byClause.get(clause) : byChoice.get(choice);
    if (chosen)
      fillWhenOpen(details, () => details.querySelector('.place').replaceWith(table(chosen, `Vectors of ${clause || choice}`, clause)));
  }

  // ---- Search

  const entries = [...names, ...vectors.map(vector => ['vector', vector.id, vector.note])];
  for (const entry of entries)
    entry.push(entry[1].toLowerCase(), `${entry[1]} ${entry[2]}`.toLowerCase());

  // Whole names first, then their beginnings, then other names, then texts.
  function rank([, , , name, all], text, words) {
    if (!words.every(word => all.includes(word))) return 0;
    return name === text ? 4 : name.startsWith(text) ? 3 : words.every(word => name.includes(word)) ? 2 : 1;
  }

  function find() {
    const text = search.value.trim().toLowerCase(), words = text.split(/\s+/);
    const ranked = text ? entries.map(entry => [rank(entry, text, words), entry]).filter(([value]) => value) : [];
    ranked.sort((a, b) => b[0] - a[0]);
    found.replaceChildren(...ranked.slice(0, MOST_FOUND).map(([, [kind, name, sentence]]) =>
      make('li', {}, make('a', {href: `#${kind}-${name}`}, make('code', {}, name)), ` ${kind}`, make('div', {class: 'note'}, prose(sentence)))));
    byId('count').textContent = text ? `${ranked.length} found` + (ranked.length > MOST_FOUND ? `, ${MOST_FOUND} shown` : '') : '';
    found.hidden = !text;
    chapters.hidden = Boolean(text);
  }
  search.addEventListener('input', find);
  search.form.addEventListener('submit', event => {
    event.preventDefault();
    found.querySelector('a')?.click();
  });

  // ---- Pages and filters

  const main = document.querySelector('main'), pages = [...main.querySelectorAll('.page')];
  const links = new Map([...chapters.querySelectorAll('a')].map(link => [link.hash.slice(1), link]));
  const filters = ['origin', 'level'].map(byId);
  let page = pages[0], places = [], current = null;

  const isFiltered = () => filters.some(filter => filter.value);
  const fits = section => filters.every(filter => !filter.value || section.dataset[filter.id] === filter.value);

  // The page of the reader, or all that a filter leaves.
  function show() {
    const filtered = isFiltered();
    let count = 0;
    for (const one of pages) {
      let some = false;
      for (const section of one.querySelectorAll('section')) {
        const out = !fits(section);
        section.classList.toggle('out', out);
        links.get(section.id)?.parentElement.classList.toggle('out', out);
        some ||= !out;
        count += !out;
      }
      one.hidden = filtered ? !some : one !== page;
    }
    main.classList.toggle('filtered', filtered);
    chapters.classList.toggle('filtered', filtered);
    byId('shown').textContent = filtered ? `${count} clauses` : '';
    places = [...links.keys()].map(byId).filter(place => place?.checkVisibility());
    follow();
  }

  // To the page of an element; a filter that leaves it out ends.
  function turnTo(element) {
    const next = element?.tagName === 'H1' ? pages[0] : element?.closest('.page');
    if (!next || isFiltered() && element.checkVisibility()) return;
    for (const filter of filters) filter.value = '';
    page = next;
    show();
  }

  for (const filter of filters) filter.addEventListener('change', show);

  // ---- Contents

  // The last place that begins at the top of the window, or above it, is where the reader is.
  function follow() {
    let low = 0, high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle].getBoundingClientRect().top < 80) low = middle + 1;
      else high = middle;
    }
    const link = low ? links.get(places[low - 1].id) : null;
    if (link === current) return;
    current?.removeAttribute('aria-current');
    current?.closest('.chapter').classList.remove('here');
    current = link;
    if (!link) return;
    link.setAttribute('aria-current', 'true');
    link.closest('.chapter').classList.add('here');
    const {top, bottom} = link.getBoundingClientRect();
    if (top < 100 || bottom > innerHeight) side.scrollTop += top - innerHeight / 2; // only the contents may scroll
  }

  let waits = false;
  addEventListener('scroll', () => {
    if (waits || !contents.open) return;
    waits = true;
    requestAnimationFrame(() => { waits = false; follow(); });
  }, {passive: true});

  if (narrow.matches) contents.open = false;
  narrow.addEventListener('change', () => { contents.open = !narrow.matches; });
  contents.addEventListener('toggle', follow);
  contents.addEventListener('click', event => {
    if (narrow.matches && event.target.closest('a')) contents.open = false;
  });

  // An anchor leads to what it names, also without the kind before it.
  function complete() {
    const name = decoded(location.hash.slice(1));
    const isThere = id => byId(id) || place.has(id);
    const kind = name && !isThere(name) && ['clause', 'choice', 'reason', 'law', 'profile', 'vector'].find(kind => isThere(`${kind}-${name}`));
    if (kind) history.replaceState(null, '', `#${kind}-${name}`);
  }
  addEventListener('hashchange', complete);
  complete();

  show();
  revealLinks(name => {
    const vector = place.get(name);
    const trace = vector && document.querySelector(`.trace[data-clause="${CSS.escape(vector.clauses[0])}"]`);
    turnTo(trace || byId(name));
    trace?.fill();
  });
  follow();
})();
