// The page of `dloc browse`. Every pane is a list of rows; rows of different panes belong together through the instructions
// that they became. Only the rows in sight are elements.
(function () {
  'use strict';

  const data = JSON.parse(document.getElementById('data').textContent);
  const total = data.samples;
  const byId = id => document.getElementById(id);
  const [main, find, status, dialog] = [document.querySelector('main'), byId('find'), byId('status'), document.querySelector('dialog')];
  const menu = document.querySelector('.view');
  const narrow = matchMedia('(max-width: 800px)');
  const code = []; // instructions: {text, address, samples, stack, layers, function}
  // Inline stacks, callers first: a frame's {name, place, caller, inner: the stacks that it is the caller of, code}.
  const stacks = data.stacks.map(([name, place, caller]) => ({name, place, caller, inner: [], code: []}));
  // What the reader has chosen to see, as it was the last time.
  const memory = 'dloc browse: ' + [...data.panes.map(pane => pane.name), 'code'].join(' ');
  const view = Object.assign({blanks: data.panes.length < 4, metadata: false, whole: true, away: [], sizes: {}}, remembered());
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

  // Storage may be forbidden, and hold anything.
  function remembered() {
    try {
      const {blanks, metadata, whole, away, sizes} = JSON.parse(localStorage.getItem(memory));
      return {blanks: !!blanks, metadata: !!metadata, whole: !!whole, away: [...away], sizes: {...sizes}};
    } catch { return null; }
  }

  function remember() {
    try { localStorage.setItem(memory, JSON.stringify(view)); } catch { /* then not */ }
  }

  // ---- Texts: what is shown of a line

  // Metadata in a line, and lines that are nothing else.
  const ATTACHED = {llvm: /(?:,? ![A-Za-z_][\w.]* !\d+)+(?= \{$|$)/g, mlir: / loc\((?:#\w+|unknown|"[^"]*"(?::\d+:\d+)?)\)(?=$| *[,){])/g};
  const METADATA = {llvm: /^\s*#dbg_|^\s*(?:tail )?call void @llvm\.dbg\.|^![\w.]+ = /, mlir: /^#(?:loc|di_\w*)\d* = /};

  function textOf(row) {
    const text = !view.metadata && ATTACHED[row.language] ? row.text.replace(ATTACHED[row.language], '') : row.text;
    return view.blanks || row.kind !== 'line' || !text.trim() ? text : ' '.repeat(row.level) + text.trimStart();
  }

  const isHidden = row => row.kind === 'none' ? !row.code.length : !view.metadata && row.kind === 'line' && !row.code.length && !row.inner.length && !!METADATA[row.language]?.test(row.text);

  function colouredText(row) {
    const made = element('span', 'text'), text = textOf(row);
    const parts = row.kind !== 'line' ? [['', text]] : row.comment ? [['comment', text]] : tokens(text, row.language);
    made.append(...parts.map(([kind, part]) => kind ? element('span', 't-' + kind, part) : part));
    return made;
  }

  // Of the lines of a file, in order: how deep each is indented, and the nearest line around it that opens a region.
  function nest(rows, file) {
    const regions = new Map(file.regions), comments = file.comments || [], opened = [], indents = [0];
    let comment = 0;
    for (const row of rows) {
      while (opened.length && opened.at(-1).last < row.label) opened.pop();
      row.inside = opened.at(-1) || file.row;
      if (regions.has(row.label)) opened.push(Object.assign(row, {last: regions.get(row.label)}));
      while (comments[comment]?.[1] < row.label) comment++;
      row.comment = comments[comment]?.[0] <= row.label;
      const blanks = row.text.replace(/\t/g, '    ').search(/\S/);
      while (blanks >= 0 && indents.at(-1) > blanks) indents.pop();
      if (blanks > indents.at(-1)) indents.push(blanks);
      row.level = indents.length - 1;
    }
  }

  // ---- Panes

  class Pane {
    constructor(name, rows) {
      Object.assign(this, {name, rows, number: panes.length, cursor: 0, size: view.sizes[name] > 0 ? view.sizes[name] : 1, away: view.away.includes(name), marks: new Map(), shown: new Map(), own: new Map()});
      this.titles = rows.flatMap((row, i) => row.kind === 'title' ? [i] : []);
    }

    // Instructions are known: what each row has of them.
    count() {
      for (const row of this.rows)
        if (row.kind !== 'title') row.samples = row.code.reduce((sum, i) => sum + code[i].samples, 0);
      const lines = this.rows.flatMap((row, i) => row.kind === 'line' && row.samples ? [i] : []);
      this.hot = lines.sort((a, b) => this.rows[b].samples - this.rows[a].samples || a - b);
      this.most = this.hot.length ? this.rows[this.hot[0]].samples : 1;
      this.flat = !this.rows.some(row => row.kind === 'line' && row.whole > row.samples);
      this.none = this.files ? this.rows[0] : newRow('none', '', '');
      const [all, without] = total ? [total, this.none.samples] : [code.length, this.none.code.length];
      this.covers = this.files && all ? `${(100 * (all - without) / all).toFixed(1)}% of the ${total ? 'samples' : 'instructions'} have a line` : '';
    }

    // Which rows are shown, and where each is then.
    arrange() {
      this.order = [];
      this.place = this.rows.map((row, i) => (isHidden(row) ? this.order.length : this.order.push(i) - 1));
      this.cursor = this.order[Math.min(this.place[this.cursor], this.order.length - 1)] ?? 0;
      this.all.style.height = this.height * this.order.length + 'px';
      for (const made of this.shown.values()) made.remove();
      this.shown.clear();
      this.render();
    }

    build(parent) {
      this.section = element('section', `pane ${this.files ? '' : 'code'} ${this.flat || !total ? 'flat' : ''}`);
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
      const columns = element('p', 'columns');
      columns.append(element('span', 'number'), element('span', 'heat', 'own'), element('span', 'whole', 'all'), element('span', '', this.covers.replace(/ of the \w+/, '')));
      columns.title = this.covers;
      head.append(title, this.select, this.told);
      this.list = element('div', 'rows');
      this.list.tabIndex = 0;
      for (const [key, value] of Object.entries({role: 'listbox', 'aria-label': this.name, 'aria-multiselectable': 'true'}))
        this.list.setAttribute(key, value);
      this.all = element('div', 'all');
      this.all.setAttribute('role', 'presentation');
      this.list.append(this.all);
      this.section.append(head, columns, this.list);
      parent.append(this.section);
      this.height = parseFloat(getComputedStyle(this.list).lineHeight);
      this.section.style.setProperty('--digits', this.rows.reduce((most, row) => Math.max(most, String(row.label).length), 1));
      this.list.addEventListener('scroll', () => this.render());
      this.list.addEventListener('focus', () => { current = this.number; });
      this.list.addEventListener('keydown', event => this.press(event));
      this.list.addEventListener('click', event => this.click(event));
      this.list.addEventListener('pointerover', event => { if (event.pointerType === 'mouse') point(this.number, rowOf(event)); });
      this.list.addEventListener('pointerleave', () => point(this.number, null));
      this.arrange();
      new ResizeObserver(() => this.render()).observe(this.list);
    }

    make(i) {
      const row = this.rows[i], made = element('div');
      made.id = `row-${this.number}-${i}`;
      made.dataset.row = i;
      made.setAttribute('role', 'option');
      made.setAttribute('aria-setsize', this.order.length);
      made.setAttribute('aria-posinset', this.place[i] + 1);
      made.style.top = this.height * this.place[i] + 'px';
      const whole = element('span', 'whole', row.whole > row.samples ? share(row.whole) : '');
      if (whole.textContent) whole.title = `${count(row.whole, 'sample')} in all: ${row.last ? `lines ${row.label} to ${row.last}` : row.kind === 'title' ? 'the file' : 'with what was inlined here'}`;
      made.append(element('span', 'number', row.label), heat(row.samples, row.kind === 'title' ? Infinity : this.most), whole, element('span', 'sign'), colouredText(row));
      return made;
    }

    dress(i, made) {
      const mark = this.marks.get(i), here = active && active.pane === this.number && active.row === i;
      const row = this.rows[i], idle = row.kind === 'line' && !row.code.length && !row.inner.length;
      made.className = ['row', row.kind, idle ? 'idle' : '', mark ? mark.kind : '', here ? 'here' : ''].join(' ');
      made.setAttribute('aria-selected', !!mark || !!here);
      made.children[3].textContent = mark ? (mark.kind === 'own' ? '▸' : '↳') : '';
    }

    render() {
      const first = Math.floor(this.list.scrollTop / this.height), high = Math.ceil(this.list.clientHeight / this.height);
      const wanted = new Set([this.cursor]); // the cursor's row has to be there for who reads by ear
      for (const i of this.order.slice(Math.max(0, first - 10), first + high + 10)) wanted.add(i);
      for (const [i, made] of this.shown)
        if (!wanted.has(i)) { made.remove(); this.shown.delete(i); }
      for (const i of wanted) {
        if (!this.shown.has(i) && i < this.rows.length) this.shown.set(i, this.all.appendChild(this.make(i)));
        if (this.shown.has(i)) this.dress(i, this.shown.get(i));
      }
      if (this.rows.length) this.list.setAttribute('aria-activedescendant', `row-${this.number}-${this.cursor}`);
      const title = this.titles.findLast(i => i <= (this.order[first + 1] ?? Infinity));
      if (title !== undefined && document.activeElement !== this.select) this.select.value = title;
    }

    scrollTo(i, share = .4) {
      this.list.scrollTop = this.height * this.place[i] - this.list.clientHeight * share;
      this.list.scrollLeft = 0;
      this.render();
    }

    isSeen(i) {
      const top = this.height * this.place[i] - this.list.scrollTop;
      return top >= 0 && top + this.height <= this.list.clientHeight;
    }

    // Bring marked rows into sight, unless one is: the hottest.
    reveal() {
      const marked = [...this.marks.keys()];
      if (!marked.length || !this.list.clientHeight || marked.some(i => this.isSeen(i) && this.marks.get(i).kind === 'own')) return;
      const weight = i => this.rows[i].kind === 'none' ? -1 : (this.marks.get(i).kind === 'own' ? 1e15 : 0) + this.marks.get(i).samples;
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
        choose(this.number, this.order[Math.min(Math.max(this.place[this.cursor] + steps[event.key], 0), this.order.length - 1)], true);
      else if (event.key === 'ArrowLeft') show(panes.findLast(pane => pane.number < this.number && isThere(pane))?.number);
      else if (event.key === 'ArrowRight') show(panes.find(pane => pane.number > this.number && isThere(pane))?.number);
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
    return {kind, label, text, samples: 0, whole: 0, code: [], inner: []};
  }

  function textPane(pane) {
    const rows = [newRow('none', '', 'no line here')], lines = new Map([['none', 0]]);
    pane.files.forEach((file, number) => {
      rows.push(file.row = Object.assign(newRow('title', '', file.path), {file: number}));
      const begin = rows.length;
      if (file.problem) rows.push(newRow('missing', '', file.problem));
      let next = 1;
      const gap = to => { if (to > next && !file.problem) rows.push(newRow('gap', '', `${count(to - next, 'line')} left out`)); };
      for (const [first, texts] of file.lines) {
        gap(first);
        texts.forEach((text, i) => {
          lines.set(`${number}:${first + i}`, rows.length);
          rows.push(Object.assign(newRow('line', first + i, text), {file: number, language: file.language}));
        });
        next = first + texts.length;
      }
      gap(file.count + 1);
      nest(rows.slice(begin).filter(row => row.kind === 'line'), file);
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
        rows.push(Object.assign(newRow('line', address.replace(/^0x/, ''), text), {code: [code.length], address, language: data.language, level: 0}));
        code.push({address, text, samples, stack: stack === null ? null : stacks[stack], layers, function: each});
      }
    });
    panes.push(Object.assign(new Pane('code', rows), {lines}));
  }

  // The pane and row of a place, and which of the place's rows an instruction is at.
  const rowAt = place => { const [pane, file, line] = data.places[place]; return [panes[pane], panes[pane].lines.get(`${file}:${line}`)]; };

  function link() {
    for (const each of stacks) {
      each.caller = each.caller === null ? null : stacks[each.caller];
      each.row = each.place === null ? null : rowAt(each.place)[1];
      if (!each.caller) continue;
      each.caller.inner.push(each);
      if (each.caller.row !== null) panes[0].rows[each.caller.row].inner.push(each);
    }
    code.forEach((each, i) => {
      each.rows = [[panes.length - 1, panes.at(-1).lines.get(each.address)]]; // [pane, row] of its own place and its layers
      if (each.stack) each.stack.code.push(i);
      if (each.stack && each.stack.row !== null) addRow(each, i, panes[0], each.stack.row);
      each.layers.forEach(place => addRow(each, i, ...rowAt(place)));
      const there = new Set(each.rows.map(([pane]) => pane));
      for (const pane of panes.slice(0, -1).filter(pane => !there.has(pane.number))) addRow(each, i, pane, 0);
    });
    function addRow(each, i, pane, row) {
      const list = pane.rows[row].code;
      if (list.at(-1) === i) return; // two layers have one line
      list.push(i);
      each.rows.push([pane.number, row]);
    }
  }

  // The instructions that were inlined through a call on a row.
  function inlinedAt(row) {
    const found = new Set(row.inner);
    for (const each of found) each.inner.forEach(inner => found.add(inner));
    return [...found].flatMap(each => each.code).sort((a, b) => a - b);
  }

  // Adds the samples of instructions to the rows of their stacks and what is around these, once for a row: a recursive stack has a line twice.
  function addToStacks(list, around, add) {
    const sums = new Map();
    for (const i of list) if (code[i].stack) sums.set(code[i].stack, (sums.get(code[i].stack) || 0) + code[i].samples);
    for (const {caller} of sums.keys()) if (caller && !sums.has(caller)) sums.set(caller, 0);
    for (const each of stacks.filter(each => sums.has(each)).reverse()) if (each.caller) sums.set(each.caller, sums.get(each.caller) + sums.get(each));
    const met = new Set(), todo = [...sums.keys()].filter(each => !each.caller); // frames to enter, and rows that one has left
    while (todo.length) {
      const each = todo.pop(), entered = [];
      if (Array.isArray(each)) { each.forEach(row => met.delete(row)); continue; }
      for (let row = each.row === null ? null : panes[0].rows[each.row]; row && !met.has(row); row = around(row)) {
        met.add(row);
        entered.push(row);
        add(row, sums.get(each), each);
      }
      todo.push(entered);
      for (const inner of each.inner) if (sums.has(inner)) todo.push(inner);
    }
  }

  // Each instruction counts once for a line and each region around it, also one that was inlined there.
  function countWhole() {
    for (const each of code) {
      const met = new Set();
      for (const [pane, i] of each.rows)
        for (let row = panes[pane].rows[i]; row && (pane || !i) && !met.has(row); row = row.inside) {
          met.add(row);
          row.whole += each.samples;
        }
    }
    addToStacks(code.keys(), row => row.inside, (row, samples) => { row.whole += samples; });
  }

  // ---- What belongs together

  // Of each pane a map: row -> {kind, samples}, the samples that both have.
  function related(pane, row) {
    const found = panes.map(() => new Map());
    const from = panes[pane].rows[row], own = new Set(from.code), list = new Set([...own, ...inlinedAt(from)]);
    const add = (other, target, samples) => {
      if (other === pane) return {};
      const mark = found[other].get(target) || {kind: 'via', samples: 0};
      mark.samples += samples;
      found[other].set(target, mark);
      return mark;
    };
    for (const i of list)
      for (const [other, target] of code[i].rows) {
        const inStack = other === 0 && target !== 0, mark = add(other, target, inStack ? 0 : code[i].samples);
        if (own.has(i)) mark.kind = 'own';
      }
    if (pane) addToStacks(list, () => null, (_, samples, {row}) => add(0, row, samples));
    return found;
  }

  // How many lines of a pane are marked.
  function told(pane, marks) {
    const none = !!pane.files && marks.has(0), size = marks.size - none;
    return size || !none ? count(size, 'line') : 'no line';
  }

  let marked = ''; // what is marked now
  function mark(reveal) {
    const about = pointed || active, key = about ? `${about.pane}:${about.row}` : '-';
    if (key !== marked) {
      marked = key;
      const found = about ? related(about.pane, about.row) : panes.map(() => new Map());
      panes.forEach((pane, i) => {
        pane.marks = found[i];
        pane.told.textContent = about && about.pane !== i ? told(pane, found[i]) : '';
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
    if (keep) say(panes.flatMap((each, i) => i === pane ? [] : [`${told(each, each.marks)} of ${each.name}`]).join(', '));
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

  // ---- Fragments: #source:PATH:LINE, #source:none, #code:ADDRESS

  function fragment(pane, row) {
    const each = panes[pane], of = each.rows[row];
    if (of.kind !== 'line' && of.kind !== 'none') return null;
    const parts = of.kind === 'none' ? [each.name, 'none'] : of.address ? [each.name, of.address] : [each.name, each.files[of.file].path, of.label];
    return '#' + parts.map(encodeURIComponent).join(':');
  }

  // The place that a fragment names: {pane, row}, or null.
  function placeOf(hash) {
    let parts;
    try { parts = hash.slice(1).split(':').map(decodeURIComponent); } catch { return null; }
    const each = panes.find(pane => pane.name === parts[0]);
    if (!each) return null;
    const key = each.files && parts.length > 2 ? `${each.files.findIndex(file => file.path === parts[1])}:${parts[2]}` : parts[1];
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
    const of = pane.rows[row], where = of.kind !== 'line' ? '' : pane.files ? `${nameOf(pane.files[of.file])}:${of.label}` : of.label;
    return entry(samples, most, where, textOf(of).trim(), () => goTo(pane.number, row));
  }

  function placeText(place) {
    if (place === null) return 'no line';
    const [pane, file, line, column] = data.places[place];
    return `${nameOf(panes[pane].files[file])}:${line}` + (column ? `:${column}` : '');
  }

  function placeEntry(place, name) {
    if (place === null) return entry(0, 1, 'no line', name, () => {});
    const [pane, row] = rowAt(place);
    return entry(0, 1, placeText(place), name === null ? textOf(pane.rows[row]).trim() : name, () => goTo(pane.number, row));
  }

  // The functions by name: inlined ones have what their instructions have, wherever these are.
  function tellFunctions() {
    const found = new Map();
    for (const each of code) {
      const name = each.stack && each.stack.name || each.function.name;
      const of = found.get(name) || {samples: 0, size: 0, best: each, inlined: false};
      of.samples += each.samples;
      of.size++;
      of.inlined ||= !!(each.stack && each.stack.caller);
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
    if (pane.none.samples) byId('lines').append(rowEntry(pane, 0, pane.none.samples, Math.max(pane.most, pane.none.samples)), element('p', 'note', pane.covers + ' here.'));
  }

  function stackEntries(each) {
    const made = [element('h3', '', `Inline stack of ${each.address.startsWith('0x') ? '' : 'line '}${each.address} in ${each.function.name}`)];
    for (let frame = each.stack; frame; frame = frame.caller) made.push(placeEntry(frame.place, frame.name || '??'));
    if (!each.stack) made.push(element('p', 'note', 'Nothing is known of it.'));
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
    if (row.whole > row.samples) what.push(`${count(row.whole, 'sample')} in all, ${share(row.whole)}${row.last ? `, in lines ${row.label} to ${row.last}` : ''}`);
    const via = inlinedAt(row);
    if (via.length) what.push(`${via.length} more inlined through a call on it`);
    box.append(element('p', 'note', what.join('; ')));
    const found = pane.marks && related(active.pane, active.row);
    if (row.address) { box.append(...stackEntries(code[row.code[0]])); return; }
    panes.forEach((other, i) => {
      if (!found[i].size) return;
      const best = [...found[i]].sort((a, b) => b[1].samples - a[1].samples || a[0] - b[0]).slice(0, 5);
      box.append(element('h3', '', `${other.name}: ${told(other, found[i])}`));
      box.append(...best.map(([target, mark]) => rowEntry(other, target, mark.samples, most)));
    });
    const list = row.code.length ? row.code : via;
    if (list.length) box.append(...stackEntries(code[list.reduce((best, i) => code[i].samples > code[best].samples ? i : best)]));
  }

  // ---- Moving about

  const isThere = pane => narrow.matches || !pane.away;

  // Panes that are not away, by their sizes, with a separator between two. What is chosen is remembered.
  function arrangePanes() {
    if (panes.every(pane => pane.away)) panes[0].away = false;
    if (panes[current].away) current = panes.find(pane => !pane.away).number;
    for (const pane of panes) {
      pane.section.style.flexGrow = pane.size;
      pane.section.classList.toggle('away', pane.away);
      pane.box.checked = !pane.away;
      const left = panes.findLast(each => each.number < pane.number && !each.away);
      if (!pane.separator) continue;
      pane.separator.hidden = pane.away || !left;
      if (pane.separator.hidden) continue;
      const share = Math.round(100 * left.size / (left.size + pane.size));
      for (const [key, value] of [['valuenow', share], ['valuetext', `${left.name} ${share}%, ${pane.name} ${100 - share}%`], ['controls', left.section.id], ['label', `Between ${left.name} and ${pane.name}`]])
        pane.separator.setAttribute('aria-' + key, value);
    }
    view.away = panes.flatMap(pane => pane.away ? [pane.name] : []);
    view.sizes = Object.fromEntries(panes.map(pane => [pane.name, pane.size]));
    main.querySelector('.panes').classList.toggle('sized', panes.some(pane => pane.size !== 1));
    remember();
  }

  // The line before a pane, which the pointer or arrows move.
  function addSeparator(parent, pane) {
    const made = pane.separator = element('div', 'separator');
    for (const [key, value] of Object.entries({role: 'separator', tabindex: 0, 'aria-orientation': 'vertical', 'aria-valuemin': 10, 'aria-valuemax': 90}))
      made.setAttribute(key, value);
    const left = () => panes.findLast(each => each.number < pane.number && !each.away);
    const move = percent => {
      const [other, both] = [left(), left().size + pane.size];
      other.size = both * Math.min(90, Math.max(10, percent)) / 100;
      pane.size = both - other.size;
      arrangePanes();
    };
    const reset = () => { for (const each of panes) each.size = 1; arrangePanes(); };
    made.addEventListener('keydown', event => {
      const now = +made.getAttribute('aria-valuenow'), to = {ArrowLeft: now - 5, ArrowRight: now + 5, Home: 10, End: 90}[event.key];
      if (event.key === 'Enter') reset();
      else if (to !== undefined) move(to);
      else return;
      event.preventDefault();
    });
    made.addEventListener('dblclick', reset);
    made.addEventListener('pointerdown', event => { made.setPointerCapture(event.pointerId); event.preventDefault(); });
    made.addEventListener('pointermove', event => {
      if (!made.hasPointerCapture(event.pointerId)) return;
      const begin = left().section.getBoundingClientRect().left, end = pane.section.getBoundingClientRect().right;
      move(Math.round(100 * (event.clientX - begin) / (end - begin)));
    });
    parent.append(made);
  }

  function setAway(pane, away) {
    pane.away = away && panes.some(each => each !== pane && !each.away); // one stays
    arrangePanes();
  }

  function addChoice(parent, name, text, checked, act) {
    const label = element('label'), box = element('input');
    [box.type, box.name] = ['checkbox', name];
    box.checked = checked;
    box.addEventListener('change', () => act(box.checked));
    label.append(box, ' ' + text);
    byId(parent).append(label);
    return box;
  }

  // On a narrow screen one pane or box is seen at a time.
  function display(name) {
    for (const section of main.querySelectorAll('.pane, .box')) section.classList.toggle('shown', section.id === name);
    for (const tab of main.querySelectorAll('.tabs button')) tab.setAttribute('aria-pressed', tab.dataset.of === name);
  }

  function show(number) {
    const pane = panes[number];
    if (!pane) return;
    current = number;
    if (pane.away) setAway(pane, false);
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
        if (isHidden(row)) continue;
        if (row.address === wanted || String(row.label) === wanted || textOf(row).toLowerCase().includes(wanted)) {
          if (pane.away) setAway(pane, false);
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
    h: () => hottest(0), n: () => hottest(1), p: () => hottest(-1),
    '/': () => { find.focus(); find.select(); },
    v: () => { menu.open = true; menu.querySelector('input').focus(); },
    '?': () => dialog.showModal(),
    Escape: letGo,
  };

  function start() {
    data.panes.forEach(textPane);
    codePane();
    link();
    countWhole();
    document.body.classList.toggle('cold', !total);
    const tabs = main.querySelector('.tabs'), parent = main.querySelector('.panes');
    for (const pane of panes) {
      pane.count();
      if (pane.number) addSeparator(parent, pane);
      pane.build(parent);
      pane.box = addChoice('which', pane.name, pane.name, true, on => setAway(pane, !on));
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
    arrangePanes();
    for (const [name, text, there] of [['whole', 'cost with regions and inlined calls', total && panes.some(pane => !pane.flat)], ['blanks', 'full indentation', true],
      ['metadata', 'metadata', panes.some(pane => pane.rows.some(row => ATTACHED[row.language]))]])
      if (there) addChoice('how', name, text, view[name], on => { view[name] = on; dressPanes(); remember(); });
    const dressPanes = () => {
      document.body.classList.toggle('bare', !view.whole);
      for (const pane of panes) pane.arrange();
    };
    dressPanes();
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
    menu.addEventListener('keydown', event => { if (event.key === 'Escape') { menu.open = false; menu.firstElementChild.focus(); } event.stopPropagation(); });
    addEventListener('pointerdown', event => { if (!menu.contains(event.target)) menu.open = false; });
    addEventListener('keydown', event => {
      if (dialog.open || event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'SELECT' || !(event.key in keys)) return;
      event.preventDefault();
      keys[event.key]();
    });
    for (const button of document.querySelectorAll('[data-key]')) button.addEventListener('click', () => keys[button.dataset.key]());
    addEventListener('hashchange', follow);
    narrow.addEventListener('change', () => panes.forEach(pane => pane.render()));
    if (follow()) return;
    const first = panes.find(pane => pane.hot.length && !pane.away) || panes[current];
    const row = first.hot[0] ?? first.rows.findIndex(each => each.kind === 'line' && each.code.length);
    if (row >= 0) choose(first.number, row, false);
  }
  start();
})();
