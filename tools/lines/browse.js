// The page of `dloc browse`. Every pane is a list of rows; rows of different panes belong together through the instructions
// that they became. Only the rows in sight are elements.
(function () {
  'use strict';

  const data = JSON.parse(document.getElementById('data').textContent);
  const total = data.samples;
  const byId = id => document.getElementById(id);
  const [main, find, status, dialog] = [document.querySelector('main'), byId('find'), byId('status'), document.querySelector('dialog')];
  const narrow = matchMedia('(max-width: 800px)');
  const code = []; // instructions: {text, address, samples, stack, layers, function}
  const panes = [];
  let current = 0; // the pane that the keys are about
  let active = null, kept = false, pointed = null; // {pane, row}: chosen; whether the pointer is ignored; under the pointer

  // ---- Small parts

  function element(tag, name, text) {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const count = (number, word) => `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;

  // So many characters of all paths are the same folders.
  function commonFolder(paths) {
    let size = paths.length ? paths[0].lastIndexOf('/') + 1 : 0;
    for (const path of paths)
      while (!path.startsWith(paths[0].slice(0, size))) size = paths[0].lastIndexOf('/', size - 2) + 1;
    return size > 1 ? size : 0;
  }

  function share(samples) {
    if (!samples) return '';
    const percent = 100 * samples / total;
    return percent < .05 ? '<0.1%' : percent.toFixed(1) + '%';
  }

  function heat(samples, most) {
    const cell = element('span', 'heat');
    if (!samples) return cell;
    const bar = element('span', 'bar');
    bar.style.width = 100 * samples / most + '%';
    cell.append(bar, element('b', '', share(samples)));
    cell.title = count(samples, 'sample');
    return cell;
  }

  // ---- Panes

  class Pane {
    constructor(name, rows) {
      Object.assign(this, {name, rows, number: panes.length, cursor: 0, marks: new Map(), shown: new Map(), own: new Map()});
      this.titles = rows.flatMap((row, i) => row.kind === 'title' ? [i] : []);
    }

    // Instructions are known: what each row has of them.
    count() {
      for (const row of this.rows)
        if (row.kind !== 'title') row.samples = row.code.reduce((sum, i) => sum + code[i].samples, 0);
      const lines = this.rows.flatMap((row, i) => row.kind !== 'title' && row.samples ? [i] : []);
      this.covered = new Set(this.rows.flatMap(row => row.kind !== 'title' && row.samples ? row.code : []));
      this.without = total - [...this.covered].reduce((sum, i) => sum + code[i].samples, 0);
      this.hot = lines.sort((a, b) => this.rows[b].samples - this.rows[a].samples || a - b);
      this.most = this.hot.length ? this.rows[this.hot[0]].samples : 1;
    }

    build(parent) {
      this.section = element('section', `pane ${this.name === 'code' ? 'code' : ''}`);
      this.section.id = `pane-${this.number}`;
      this.section.setAttribute('aria-label', this.name);
      const head = element('div'), title = element('h2', '', this.name);
      this.select = element('select');
      this.select.setAttribute('aria-label', `${this.name}: go to`);
      const folder = commonFolder(this.titles.map(i => this.rows[i].text));
      const nameOfTitle = i => this.files && this.files[this.rows[i].file].name;
      for (const i of this.titles) this.select.append(new Option(nameOfTitle(i) || (folder || !this.files ? this.rows[i].text.slice(this.files ? folder : 0) : short(this.rows[i].text)), i));
      this.select.addEventListener('change', () => { this.cursor = +this.select.value; this.scrollTo(this.cursor, 0); });
      this.told = element('span', 'marked');
      head.append(title, this.select, this.told);
      this.list = element('div', 'rows');
      this.list.tabIndex = 0;
      for (const [key, value] of Object.entries({role: 'listbox', 'aria-label': this.name, 'aria-multiselectable': 'true'}))
        this.list.setAttribute(key, value);
      this.all = element('div', 'all');
      this.all.setAttribute('role', 'presentation');
      this.list.append(this.all);
      this.section.append(head, this.list);
      parent.append(this.section);
      this.height = parseFloat(getComputedStyle(this.list).lineHeight);
      this.all.style.height = this.height * this.rows.length + 'px';
      this.all.style.setProperty('--digits', this.rows.reduce((most, row) => Math.max(most, String(row.label).length), 1));
      this.list.addEventListener('scroll', () => this.render());
      this.list.addEventListener('focus', () => { current = this.number; });
      this.list.addEventListener('keydown', event => this.press(event));
      this.list.addEventListener('click', event => this.click(event));
      this.list.addEventListener('pointerover', event => { if (event.pointerType === 'mouse') point(this.number, rowOf(event)); });
      this.list.addEventListener('pointerleave', () => point(this.number, null));
      new ResizeObserver(() => this.render()).observe(this.list);
    }

    make(i) {
      const row = this.rows[i], made = element('div');
      made.id = `row-${this.number}-${i}`;
      made.dataset.row = i;
      made.setAttribute('role', 'option');
      made.setAttribute('aria-setsize', this.rows.length);
      made.setAttribute('aria-posinset', i + 1);
      made.style.top = this.height * i + 'px';
      made.append(element('span', 'number', row.label), heat(row.samples, row.kind === 'title' ? Infinity : this.most), element('span', 'sign'), element('span', 'text', row.text));
      return made;
    }

    dress(i, made) {
      const mark = this.marks.get(i), here = active && active.pane === this.number && active.row === i;
      const row = this.rows[i], idle = row.kind === 'line' && !row.code.length && !row.via.length;
      made.className = ['row', row.kind, idle ? 'idle' : '', mark ? mark.kind : '', here ? 'here' : ''].join(' ');
      made.setAttribute('aria-selected', !!mark || !!here);
      made.children[2].textContent = mark ? (mark.kind === 'own' ? '▸' : '↳') : '';
    }

    render() {
      const first = Math.floor(this.list.scrollTop / this.height), high = Math.ceil(this.list.clientHeight / this.height);
      const wanted = new Set([this.cursor]); // the cursor's row has to be there for who reads by ear
      for (let i = Math.max(0, first - 10); i < Math.min(this.rows.length, first + high + 10); i++) wanted.add(i);
      for (const [i, made] of this.shown)
        if (!wanted.has(i)) { made.remove(); this.shown.delete(i); }
      for (const i of wanted) {
        if (!this.shown.has(i) && i < this.rows.length) this.shown.set(i, this.all.appendChild(this.make(i)));
        if (this.shown.has(i)) this.dress(i, this.shown.get(i));
      }
      if (this.rows.length) this.list.setAttribute('aria-activedescendant', `row-${this.number}-${this.cursor}`);
      const title = this.titles.findLast(i => i <= first + 1);
      if (title !== undefined && document.activeElement !== this.select) this.select.value = title;
    }

    scrollTo(i, share = .4) {
      this.list.scrollTop = this.height * i - this.list.clientHeight * share;
      this.list.scrollLeft = 0;
      this.render();
    }

    isSeen(i) {
      const top = this.height * i - this.list.scrollTop;
      return top >= 0 && top + this.height <= this.list.clientHeight;
    }

    // Bring marked rows into sight, unless one is: the hottest.
    reveal() {
      const marked = [...this.marks.keys()];
      if (!marked.length || !this.list.clientHeight || marked.some(i => this.isSeen(i) && this.marks.get(i).kind === 'own')) return;
      const weight = i => (this.marks.get(i).kind === 'own' ? 1e15 : 0) + this.marks.get(i).samples;
      this.scrollTo(marked.reduce((best, i) => weight(i) > weight(best) ? i : best));
    }

    click(event) {
      const row = rowOf(event);
      if (row === null) return;
      if (kept && active.pane === this.number && active.row === row) letGo();
      else choose(this.number, row, true);
    }

    press(event) {
      const page = Math.max(1, Math.floor(this.list.clientHeight / this.height) - 1);
      const steps = {ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity};
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key in steps)
        choose(this.number, Math.min(Math.max(this.cursor + steps[event.key], 0), this.rows.length - 1), true);
      else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') show(this.number + (event.key === 'ArrowLeft' ? -1 : 1));
      else if (event.key === 'm') this.nextMark();
      else return;
      event.preventDefault();
    }

    // To the next marked row; the marks stay those of the chosen line.
    nextMark() {
      const marked = [...this.marks.keys()].sort((a, b) => a - b);
      if (!marked.length) return;
      this.cursor = marked.find(i => i > this.cursor) ?? marked[0];
      this.scrollTo(this.cursor);
      say(`${this.name} ${this.rows[this.cursor].label}: ${this.rows[this.cursor].text}`);
    }
  }

  const rowOf = event => { const row = event.target.closest('.row'); return row ? +row.dataset.row : null; };

  // ---- From the data

  function newRow(kind, label, text) {
    return {kind, label, text, samples: 0, code: [], via: []};
  }

  function textPane(pane) {
    const rows = [], lines = new Map();
    pane.files.forEach((file, number) => {
      rows.push(Object.assign(newRow('title', '', file.path), {file: number}));
      if (file.problem) rows.push(newRow('missing', '', file.problem));
      let next = 1;
      const gap = to => { if (to > next && !file.problem) rows.push(newRow('gap', '', `${count(to - next, 'line')} left out`)); };
      for (const [first, texts] of file.lines) {
        gap(first);
        texts.forEach((text, i) => {
          lines.set(`${number}:${first + i}`, rows.length);
          rows.push(Object.assign(newRow('line', first + i, text), {file: number}));
        });
        next = first + texts.length;
      }
      gap(file.count + 1);
    });
    panes.push(Object.assign(new Pane(pane.name, rows), {lines, files: pane.files}));
  }

  function codePane() {
    const rows = [], lines = new Map();
    data.functions.forEach(each => {
      const title = newRow('title', '', each.name);
      title.samples = each.samples;
      rows.push(title);
      each.title = rows.length - 1;
      for (const [address, text, samples, stack, layers] of each.code) {
        title.code.push(code.length);
        lines.set(address, rows.length);
        rows.push(Object.assign(newRow('line', address.replace(/^0x/, ''), text), {code: [code.length], address}));
        code.push({address, text, samples, stack: data.stacks[stack], layers, function: each});
      }
    });
    panes.push(Object.assign(new Pane('code', rows), {lines}));
  }

  // The pane and row of a place, and which of the place's rows an instruction is at.
  const rowAt = place => { const [pane, file, line] = data.places[place]; return [panes[pane], panes[pane].lines.get(`${file}:${line}`)]; };

  function link() {
    code.forEach((each, i) => {
      each.rows = []; // [pane, row, kind]
      each.rows.push([panes.length - 1, panes.at(-1).lines.get(each.address), 'own']);
      each.stack.forEach(([, place], depth) => { if (place !== null) add(each, i, place, depth ? 'via' : 'own'); });
      each.layers.forEach(place => add(each, i, place, 'own'));
    });
    function add(each, i, place, kind) {
      const [pane, row] = rowAt(place), list = pane.rows[row][kind === 'own' ? 'code' : 'via'];
      if (list.at(-1) === i) return; // a recursive stack has a line twice
      list.push(i);
      each.rows.push([pane.number, row, kind]);
    }
  }

  // ---- What belongs together

  // Of each pane a map: row -> {kind, samples}, the samples that both have.
  function related(pane, row) {
    const found = panes.map(() => new Map());
    const from = panes[pane].rows[row];
    for (const [list, most] of [[from.code, 'own'], [from.via, 'via']])
      for (const i of list)
        for (const [other, target, kind] of code[i].rows) {
          if (other === pane) continue;
          const mark = found[other].get(target) || {kind: 'via', samples: 0};
          if (kind === 'own' && most === 'own') mark.kind = 'own';
          mark.samples += code[i].samples;
          found[other].set(target, mark);
        }
    return found;
  }

  let marked = ''; // what is marked now
  function mark(reveal) {
    const about = pointed || active, key = about ? `${about.pane}:${about.row}` : '-';
    if (key !== marked) {
      marked = key;
      const found = about ? related(about.pane, about.row) : panes.map(() => new Map());
      panes.forEach((pane, i) => {
        pane.marks = found[i];
        pane.told.textContent = about && about.pane !== i ? count(found[i].size, 'line') : '';
        pane.tab.lastChild.textContent = found[i].size || '';
      });
    }
    for (const pane of panes) {
      if (reveal && !(about && pane.number === about.pane)) pane.reveal();
      pane.render();
    }
  }

  let rest = 0; // panes follow the pointer when it rests
  function point(pane, row) {
    if (kept || (row === null ? !pointed : pointed && pointed.pane === pane && pointed.row === row)) return;
    pointed = row === null ? null : {pane, row};
    clearTimeout(rest);
    mark(false);
    if (pointed) rest = setTimeout(() => mark(true), 250);
  }

  function choose(pane, row, keep) {
    active = {pane, row};
    [kept, pointed] = [keep, null];
    clearTimeout(rest);
    current = pane;
    panes[pane].cursor = row;
    if (!panes[pane].isSeen(row)) panes[pane].scrollTo(row);
    mark(true);
    tellHere();
    const name = fragment(pane, row);
    if (name && keep) history.replaceState(null, '', name);
    if (keep) say(panes.flatMap((each, i) => i === pane ? [] : [`${count(each.marks.size, 'line')} of ${each.name}`]).join(', '));
  }

  function letGo() {
    kept = false;
    say('The pointer shows what belongs together.');
    mark(false);
  }

  const say = text => { status.textContent = text; };

  // Choose a row and go there, as links do.
  function goTo(pane, row) {
    show(pane);
    choose(pane, row, true);
  }

  // ---- Fragments: #source:PATH:LINE, #code:ADDRESS

  function fragment(pane, row) {
    const each = panes[pane], of = each.rows[row];
    if (of.kind !== 'line') return null;
    const parts = of.address ? [each.name, of.address] : [each.name, each.files[of.file].path, of.label];
    return '#' + parts.map(encodeURIComponent).join(':');
  }

  // The place that a fragment names: {pane, row}, or null.
  function placeOf(hash) {
    let parts;
    try { parts = hash.slice(1).split(':').map(decodeURIComponent); } catch { return null; }
    const each = panes.find(pane => pane.name === parts[0]);
    if (!each) return null;
    const key = each.files ? `${each.files.findIndex(file => file.path === parts[1])}:${parts[2]}` : parts[1];
    return each.lines.has(key) ? {pane: each.number, row: each.lines.get(key)} : null;
  }

  function follow() {
    const place = placeOf(location.hash);
    if (place) goTo(place.pane, place.row);
    return place;
  }

  // ---- Boxes

  function entry(samples, most, where, what, act) {
    const made = element('button', 'entry');
    made.type = 'button';
    made.append(heat(samples, most), element('span', 'where', where), element('span', 'what', what));
    made.addEventListener('click', act);
    return made;
  }

  // An embedded text has the name of its section, which ends in a hash.
  const short = path => path.startsWith('.debug_txt.') ? path.slice(path.lastIndexOf('.') + 1).slice(0, 8) : path.slice(path.lastIndexOf('/') + 1);

  const nameOf = file => file.name || short(file.path);

  // In a list, parameters and arguments of templates are dots.
  function folded(name) {
    let depth = 0, made = '';
    for (const c of name.replaceAll('operator<', 'operator\u2039').replaceAll('operator()', 'operator\u2040')) {
      if ((c === '<' || c === '(') && depth++ === 0) made += `${c}...`;
      if ((c === '>' || c === ')') && depth) depth--;
      if (!depth) made += c;
    }
    return made.replaceAll('operator\u2039', 'operator<').replaceAll('operator\u2040', 'operator()');
  }

  function rowEntry(pane, row, samples, most) {
    const of = pane.rows[row], where = of.kind === 'title' ? '' : pane.files ? `${nameOf(pane.files[of.file])}:${of.label}` : of.label;
    return entry(samples, most, where, of.text.trim(), () => goTo(pane.number, row));
  }

  function placeText(place) {
    if (place === null) return 'no line';
    const [pane, file, line, column] = data.places[place];
    return `${nameOf(panes[pane].files[file])}:${line}` + (column ? `:${column}` : '');
  }

  function placeEntry(place, name) {
    if (place === null) return entry(0, 1, 'no line', name, () => {});
    const [pane, row] = rowAt(place);
    return entry(0, 1, placeText(place), name === null ? pane.rows[row].text.trim() : name, () => goTo(pane.number, row));
  }

  // The functions by name: inlined ones have what their instructions have, wherever these are.
  function tellFunctions() {
    const found = new Map();
    for (const each of code) {
      const name = each.stack.length && each.stack[0][0] || each.function.name;
      const of = found.get(name) || {samples: 0, size: 0, best: each, inlined: false};
      of.samples += each.samples;
      of.size++;
      of.inlined ||= each.stack.length > 1;
      if (each.samples > of.best.samples) of.best = each;
      found.set(name, of);
    }
    const list = [...found].sort(([, a], [, b]) => b.samples - a.samples || (total ? 0 : b.size - a.size)).slice(0, 100);
    for (const [name, of] of list)
      byId('functions').append(entry(of.samples, list[0][1].samples, '', folded(name) + (of.inlined ? ', inlined' : ''), () => goTo(panes.length - 1, of.best.rows[0][1])));
  }

  function tellLines() {
    const pane = panes[byId('of-lines').value];
    byId('lines').replaceChildren(...pane.hot.slice(0, 100).map(i => rowEntry(pane, i, pane.rows[i].samples, pane.most)));
    if (!pane.hot.length) byId('lines').append(element('p', 'note', 'No line of this pane has samples.'));
    else if (pane.without > 0) {
      const rest = entry(pane.without, pane.most, 'no line', 'samples without a line in this pane', () => {});
      rest.disabled = true;
      byId('lines').append(rest, element('p', 'note', `${share(total - pane.without)} of the samples have a line here.`));
    }
  }

  function stackEntries(each) {
    const made = [element('h3', '', `Inline stack of ${each.address.startsWith('0x') ? '' : 'line '}${each.address} in ${each.function.name}`)];
    each.stack.forEach(([name, place]) => made.push(placeEntry(place, name || '??')));
    if (!each.stack.length) made.push(element('p', 'note', 'Nothing is known of it.'));
    for (const place of each.layers) {
      made.push(element('h3', '', panes[data.places[place][0]].name), placeEntry(place, null));
    }
    return made;
  }

  function tellHere() {
    const box = byId('here'), pane = panes[active.pane], row = pane.rows[active.row], most = row.samples || 1;
    const where = pane.files ? row.file === undefined ? '' : `${pane.files[row.file].path}${row.kind === 'line' ? ':' + row.label : ''}` : row.label;
    box.replaceChildren(element('h3', '', `${pane.name} ${where}`));
    const what = [count(row.code.length, 'instruction')];
    if (total) what.unshift(`${count(row.samples, 'sample')}${row.samples ? ', ' + share(row.samples) : ''}`);
    if (row.via.length) what.push(`${row.via.length} more inlined through a call on it`);
    box.append(element('p', 'note', what.join('; ')));
    const found = pane.marks && related(active.pane, active.row);
    if (row.address) { box.append(...stackEntries(code[row.code[0]])); return; }
    panes.forEach((other, i) => {
      if (!found[i].size) return;
      const best = [...found[i]].sort((a, b) => b[1].samples - a[1].samples || a[0] - b[0]).slice(0, 5);
      box.append(element('h3', '', `${other.name}: ${count(found[i].size, 'line')}`));
      box.append(...best.map(([target, mark]) => rowEntry(other, target, mark.samples, most)));
    });
    const list = row.code.length ? row.code : row.via;
    if (list.length) box.append(...stackEntries(code[list.reduce((best, i) => code[i].samples > code[best].samples ? i : best)]));
  }

  // ---- Moving about

  // On a narrow screen one pane or box is seen at a time.
  function display(name) {
    for (const section of main.querySelectorAll('.pane, .box')) section.classList.toggle('shown', section.id === name);
    for (const tab of main.querySelectorAll('.tabs button')) tab.setAttribute('aria-pressed', tab.dataset.of === name);
  }

  function show(number) {
    const pane = panes[number];
    if (!pane) return;
    current = number;
    display(pane.section.id);
    pane.list.focus({preventScroll: true});
    pane.section.scrollIntoView({block: 'nearest', inline: 'nearest'});
    if (active && active.pane === number && !pane.isSeen(active.row)) pane.scrollTo(active.row);
    else pane.reveal();
    pane.render();
  }

  function hottest(step) {
    const pane = panes[current];
    if (!pane.hot.length) { say(`No line of ${pane.name} has samples.`); return; }
    const at = pane.hot.indexOf(pane.cursor);
    const next = step === 0 || at < 0 ? 0 : (at + step + pane.hot.length) % pane.hot.length;
    goTo(current, pane.hot[next]);
  }

  // The next row that has the text, or is the line or the address; in this pane, then in the others.
  function search() {
    const wanted = find.value.trim().toLowerCase();
    if (!wanted) return;
    for (let k = 0; k <= panes.length; k++) {
      const pane = panes[(current + k) % panes.length], from = k ? 0 : pane.cursor + 1, to = k === panes.length ? pane.cursor + 1 : pane.rows.length;
      for (let i = from; i < to; i++) {
        const row = pane.rows[i];
        if (row.address === wanted || String(row.label) === wanted || row.text.toLowerCase().includes(wanted)) {
          choose(pane.number, i, true);
          display(pane.section.id);
          pane.scrollTo(i);
          return;
        }
      }
    }
    say(`'${find.value}' is nowhere.`);
  }

  const keys = {
    h: () => hottest(0), n: () => hottest(1), b: () => hottest(-1),
    '/': () => { find.focus(); find.select(); },
    '?': () => dialog.showModal(),
    Escape: letGo,
  };

  function start() {
    data.panes.forEach(textPane);
    codePane();
    link();
    document.body.classList.toggle('cold', !total);
    const tabs = main.querySelector('.tabs'), parent = main.querySelector('.panes');
    for (const pane of panes) {
      pane.count();
      pane.build(parent);
      pane.tab = addTab(pane.section.id, pane.name, () => show(pane.number));
    }
    for (const box of main.querySelectorAll('.box'))
      addTab(box.id, box.querySelector('h2').firstChild.textContent, () => display(box.id));
    function addTab(of, name, act) {
      const tab = tabs.appendChild(element('button', '', name + ' '));
      tab.type = 'button';
      tab.dataset.of = of;
      tab.append(element('span', 'marked'));
      tab.addEventListener('click', act);
      return tab;
    }
    tellFunctions();
    if (total) {
      panes.forEach((pane, i) => byId('of-lines').append(new Option(pane.name, i)));
      byId('of-lines').addEventListener('change', tellLines);
      tellLines();
    }
    display(panes[0].section.id);
    for (const pane of panes) if (pane.hot.length) pane.scrollTo(pane.hot[0]);
    find.addEventListener('keydown', event => {
      if (event.key === 'Enter') search();
      if (event.key === 'Escape') panes[current].list.focus();
      event.stopPropagation();
    });
    addEventListener('keydown', event => {
      if (dialog.open || event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'SELECT' || !(event.key in keys)) return;
      event.preventDefault();
      keys[event.key]();
    });
    for (const button of document.querySelectorAll('[data-key]')) button.addEventListener('click', () => keys[button.dataset.key]());
    addEventListener('hashchange', follow);
    narrow.addEventListener('change', () => panes.forEach(pane => pane.render()));
    if (follow()) return;
    const first = panes.find(pane => pane.hot.length) || panes[0];
    const row = first.hot[0] ?? first.rows.findIndex(each => each.kind === 'line' && each.code.length);
    if (row >= 0) choose(first.number, row, false);
  }
  start();
})();
