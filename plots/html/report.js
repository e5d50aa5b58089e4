'use strict';
// What a reader does with a report: point at marks or walk through them, hide groups, turn the page dark.
(() => {
  const box = document.getElementById('box');

  // The name and the figures of a mark, beside it.
  const show = (mark, x, y) => {
    hide();
    const name = mark.dataset.name;
    box.replaceChildren();
    const head = box.appendChild(document.createElement('b'));
    head.textContent = name;
    for (const part of mark.getAttribute('aria-label').slice(name.length + 2).split('; ')) {
      if (part) box.appendChild(document.createElement('span')).textContent = part;
    }
    box.hidden = false;
    const width = box.offsetWidth, height = box.offsetHeight, gap = 14;
    const right = Math.min(x + gap, innerWidth - width - 8);
    box.style.left = Math.max(8, right) + 'px';
    box.style.top = (y + gap + height > innerHeight ? Math.max(8, y - gap - height) : y + gap) + 'px';
    const picture = mark.closest('.picture'), series = mark.closest('.series');
    if (mark !== series) mark.classList.add('current');
    const word = series.dataset.series;
    picture.classList.add('hot');
    for (const each of picture.querySelectorAll('.series')) {
      if (each === series || (word && each.dataset.series === word)) each.classList.add('active');
    }
  };
  const hide = () => {
    box.hidden = true;
    for (const picture of document.querySelectorAll('.hot')) {
      picture.classList.remove('hot');
      for (const each of picture.querySelectorAll('.active')) each.classList.remove('active');
      for (const each of picture.querySelectorAll('.current')) each.classList.remove('current');
    }
  };

  const isShown = (mark) => !mark.closest('.off');

  // A mark's middle on the screen; that of a line is on the line.
  const middle = (mark) => {
    const path = mark.matches('g') && mark.querySelector('path:not(.hit)');
    const matrix = path && path.getScreenCTM();
    if (matrix) {
      const at = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(matrix);
      return [at.x, at.y];
    }
    const place = mark.getBoundingClientRect();
    return [(place.left + place.right) / 2, (place.top + place.bottom) / 2];
  };

  // Thin lines are pointed at within some pixels.
  const widen = (picture) => {
    for (const path of picture.querySelectorAll('g.mark path')) {
      const hit = path.cloneNode();
      hit.setAttribute('class', 'hit');
      path.after(hit);
    }
  };

  const walk = (event, picture) => {
    const steps = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};
    const marks = [...picture.querySelectorAll('.mark')].filter(isShown);
    const at = marks.indexOf(document.activeElement);
    if (event.key === 'Escape') return hide();
    if (at < 0) return;
    let to = at;
    if (event.key in steps) to = (at + steps[event.key] + marks.length) % marks.length;
    else if (event.key === 'Home') to = 0;
    else if (event.key === 'End') to = marks.length - 1;
    else return;
    event.preventDefault();
    focusOn(picture, marks[to]);
  };
  // One mark of a picture takes part in the order of tabs.
  const focusOn = (picture, mark) => {
    for (const each of picture.querySelectorAll('.mark[tabindex="0"]')) each.setAttribute('tabindex', '-1');
    mark.setAttribute('tabindex', '0');
    mark.focus();
  };

  for (const picture of document.querySelectorAll('.picture')) {
    widen(picture);
    picture.addEventListener('pointerover', (event) => {
      const mark = event.target.closest('.mark');
      if (mark) show(mark, event.clientX, event.clientY);
      else hide();
    });
    picture.addEventListener('pointerleave', hide);
    picture.addEventListener('focusin', (event) => {
      const mark = event.target.closest('.mark');
      if (mark) show(mark, ...middle(mark));
    });
    picture.addEventListener('focusout', hide);
    picture.addEventListener('keydown', (event) => walk(event, picture));
  }
  addEventListener('scroll', hide, {passive: true, capture: true});

  // Labels of several groups are hidden with the last of them.
  const apply = (figure) => {
    const off = new Set();
    for (const one of figure.querySelectorAll('[data-switch]')) if (!one.checked) off.add(one.dataset.switch);
    for (const each of figure.querySelectorAll('[data-series]')) each.classList.toggle('off', off.has(each.dataset.series));
    for (const each of figure.querySelectorAll('[data-label-of]'))
      each.classList.toggle('off', each.dataset.labelOf.split(' ').every((word) => off.has(word)));
    const picture = figure.querySelector('.picture'), marks = [...picture.querySelectorAll('.mark')].filter(isShown);
    if (marks.length && !marks.some((mark) => mark.getAttribute('tabindex') === '0')) marks[0].setAttribute('tabindex', '0');
  };
  for (const figure of document.querySelectorAll('.chart')) {
    figure.addEventListener('change', () => apply(figure));
    for (const button of figure.querySelectorAll('[data-all]')) {
      button.addEventListener('click', () => {
        for (const one of figure.querySelectorAll('[data-switch]')) one.checked = button.dataset.all === 'on';
        apply(figure);
      });
    }
  }

  const theme = document.getElementById('theme'), root = document.documentElement;
  theme.hidden = false;
  theme.addEventListener('click', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  });
})();
