// The vectors of the report. Those that a filter shows stand under their clauses; their rows are made when a clause is opened.
(function () {
  const {runs, profiles, marks, vectors, texts, addresses} = data;
  const form = byId('filter'), shown = byId('shown');
  const MOST_OPENED = 300; // so many vectors of a filtered list are shown at once
  const clauses = new Map(); // of a clause: its <details>, its vectors, their rows by id once they are made
  const place = new Map(vectors.map(vector => ['vector-' + vector.id, vector]));

  for (const details of document.querySelectorAll('.clause')) {
    clauses.set(details.dataset.clause, {details, vectors: [], rows: null, found: new Set()});
    fillWhenOpen(details, () => addRows(clauses.get(details.dataset.clause)));
  }
  for (const vector of vectors) {
    vector.words = `${vector.id} ${vector.clause}`.toLowerCase();
    clauses.get(vector.clause).vectors.push(vector);
  }

  // ---- Rows

  const kindOf = (vector, run) => vector.kinds[run] === '.' ? 'absent' : marks[vector.kinds[run]][0];

  function signs(vector) {
    return make('span', {class: 'marks'}, runs.map((name, run) => {
      const [kind, sign, words] = marks[vector.kinds[run]] || ['absent', '·', 'not run'];
      return make('span', {role: 'img', class: kind, title: `${name}: ${words}`, 'aria-label': `${run + 1}: ${words}`}, sign);
    }));
  }

  function addRows(clause) {
    clause.rows = new Map(clause.vectors.map(vector => {
      const row = make('details', {class: 'vector', id: 'vector-' + vector.id},
                       make('summary', {}, signs(vector), ' ', make('code', {}, vector.id)));
      row.hidden = !clause.found.has(vector);
      fillWhenOpen(row, () => row.append(make('div', {}, facts(vector), vector.answers.map(answer), input(vector))));
      return [vector, row];
    }));
    clause.details.append(...clause.rows.values());
  }

  const clauseLink = name => clauses.has(name) ? make('a', {href: '#clause-' + name}, make('code', {}, name)) : make('code', {}, name);

  function facts(vector) {
    const {op, level, path, clauses: tested} = vector.facts;
    const [first, ...others] = tested.map(clauseLink);
    return [
      vector.note !== null ? make('p', {class: 'note'}, prose(texts[vector.note])) : null,
      make('p', {}, 'operation ', make('code', {}, op), `, level ${level}`, path ? [', in ', make('code', {}, path)] : '', '; it tests ', first,
           others.flatMap(link => [', ', link]),
           addresses.spec ? ['; ', make('a', {href: `${addresses.spec}#clause-${tested[0]}`}, 'in the specification')] : '',
           addresses.playground ? ['; ', make('a', {href: attempt(vector)}, 'try it')] : ''),
    ];
  }

  // In the playground, under the profile of the first run that has it.
  function attempt(vector) {
    const profile = profiles[[...vector.kinds].findIndex(kind => kind !== '.')];
    return `${addresses.playground}#vector=${encodeURIComponent(vector.id)}&profile=${encodeURIComponent(profile)}`;
  }

  const block = (label, name, text) => [make('p', {}, label + ':'), make('pre', {class: name}, text)];

  function difference(lines) {
    const tags = {'-': 'del', '+': 'ins'};
    return [make('p', {}, 'difference:'), make('pre', {class: 'diff'}, lines.split('\n').map(line =>
      make(tags[line[0]] || 'span', {}, `${line[0]} ${line.slice(1)}`)))];
  }

  // Two answers of one run to the same vector are `expected` and `actual` when its outcome is nondet.
  function answerTexts(answer) {
    const expected = texts[answer.expected], actual = texts[answer.actual];
    const wavers = answer.outcome === 'nondet';
    if (expected === undefined)
      return actual === undefined ? null : block(answer.outcome === 'skipped' ? 'why' : 'answer', 'actual-text', actual);
    if (expected === (actual || ''))
      return block('expected and actual', 'actual-text', expected);
    const both = [...block(wavers ? 'first answer' : 'expected', 'expected-text', expected),
                  ...block(wavers ? 'second answer' : 'actual', 'actual-text', actual || '')];
    if (answer.difference === null) return both;
    return [...difference(texts[answer.difference]), make('details', {class: 'whole'}, make('summary', {}, 'both answers as a whole'), both)];
  }

  function answer(answer) {
    const [kind, sign] = marks[answer.kind];
    return make('section', {class: 'answer'},
                make('p', {}, make('span', {class: kind}, `${sign} ${answer.verdict}`), `, outcome ${answer.outcome}: `,
                     answer.runs.map(run => runs[run]).join('; '), answer.byModel ? '. Only the model says what holds' : '',
                     answer.known !== null ? `. Known to fail: ${answer.known}` : ''),
                answerTexts(answer));
  }

  function input(vector) {
    if (vector.text === null) return null;
    return [vector.changed ? make('p', {class: 'known'}, 'Not all runs had this text of the vector: its digest has changed.') : null,
            ...block('the vector', 'input', texts[vector.text])];
  }

  // ---- The filter

  const conditions = () => [...new FormData(form)].filter(([, value]) => value.trim());

  function showsAs(vector, wanted) {
    if (wanted === 'verdicts') return new Set(vector.kinds.replaceAll('.', '')).size > 1;
    if (wanted === 'answers') return vector.answers.length > 1;
    return runs.some((_, run) => kindOf(vector, run) === wanted);
  }

  function isFound(vector, name, value) {
    if (name === 'find') return value.toLowerCase().trim().split(/\s+/).every(word => vector.words.includes(word));
    if (name === 'family') return vector.clause.split('.')[0] === value;
    if (name === 'show') return showsAs(vector, value);
    return kindOf(vector, name.slice(1) - 1) === value;
  }

  function applyFilter() {
    const wanted = conditions();
    let count = 0;
    for (const clause of clauses.values()) {
      clause.found = new Set(clause.vectors.filter(vector => wanted.every(([name, value]) => isFound(vector, name, value))));
      count += clause.found.size;
    }
    const opens = wanted.length > 0 && count <= MOST_OPENED;
    for (const clause of clauses.values()) {
      clause.details.hidden = clause.found.size === 0;
      if (opens && clause.found.size) clause.details.fill();
      else if (wanted.length === 0 || !opens) clause.details.open = false;
      for (const [vector, row] of clause.rows || [])
        row.hidden = !clause.found.has(vector);
    }
    for (const family of document.querySelectorAll('.family'))
      family.hidden = !family.querySelector('.clause:not([hidden])');
    shown.textContent = count + (count === 1 ? ' vector' : ' vectors');
  }

  // The filter is part of the address: `#vectors?family=merge&r2=different`.
  function filterChanged() {
    history.replaceState(null, '', conditions().length ? '#vectors?' + new URLSearchParams(conditions()) : '#vectors');
    applyFilter();
  }
  form.addEventListener('input', filterChanged);
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(filterChanged));

  function readFilter(text) {
    const wanted = new URLSearchParams(text);
    for (const field of form.elements)
      if (field.name) field.value = wanted.get(field.name) || '';
    if (runs.some((_, run) => wanted.has(`r${run + 1}`)) && form.querySelector('details')) form.querySelector('details').open = true;
    applyFilter();
    byId('vectors').scrollIntoView();
  }

  // The filter stays at the top of the window, and must not cover a target.
  new ResizeObserver(() => {
    const covers = getComputedStyle(form).position === 'sticky' ? form.offsetHeight : 0;
    document.documentElement.style.setProperty('--covered', covers + 'px');
  }).observe(form);

  applyFilter();
  revealLinks(name => {
    if (name.startsWith('vectors?')) readFilter(location.hash.slice('#vectors?'.length));
    if (place.has(name)) clauses.get(place.get(name).clause).details.fill();
  });
})();
