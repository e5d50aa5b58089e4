// Runs in the report: does what a reader does, and leaves what was wrong in the title.
'use strict';
const must = (holds, what) => { if (!holds) wrong.push(what); };
const box = document.getElementById('box');
// A window that the system has not activated yet moves its focus without an event.
const focus = (mark) => {
  mark.focus();
  if (!document.hasFocus()) mark.dispatchEvent(new FocusEvent('focusin', {bubbles: true}));
};

for (const name of ['machine', 'roofs', 'larm', 'matrices', 'ladders', 'latency', 'hybrid', 'placements', 'tiers', 'kmaf', 'missing', 'method'])
  must(document.getElementById(name)?.getBoundingClientRect().height > 0, 'no section ' + name);
must(performance.getEntriesByType('resource').length === 0, 'it asked for something');
must(document.documentElement.scrollWidth <= innerWidth, 'the page is wider than its window');
must(document.querySelectorAll('.picture').length > 0, 'no picture');

for (const figure of document.querySelectorAll('.chart')) {
  const picture = figure.querySelector('.picture'), marks = [...picture.querySelectorAll('.mark')];
  const place = figure.id;
  must(marks.length > 0, place + ' has no marks');
  must(picture.querySelectorAll('.mark[tabindex="0"]').length === 1, place + ': not one mark in the order of tabs');
  for (const mark of marks) {
    must(mark.getAttribute('aria-label').startsWith(mark.dataset.name), place + ': a mark without a name');
    focus(mark);
    must(document.activeElement === mark && !box.hidden, place + ': focus on ' + mark.dataset.name + ' shows nothing');
    must(box.textContent.startsWith(mark.dataset.name), place + ': the box names another mark');
    const at = box.getBoundingClientRect();
    must(at.left >= 0 && at.right <= innerWidth && at.top >= 0, place + ': the box is outside the window');
  }
  // Keys lead on, and Escape closes.
  focus(marks[0]);
  const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  press('ArrowRight');
  must(document.activeElement === marks[1 % marks.length], place + ': an arrow key does not lead on');
  press('Escape');
  must(box.hidden, place + ': Escape leaves the box');
  document.activeElement.blur();
  marks[0].dispatchEvent(new PointerEvent('pointerover', {bubbles: true, clientX: 100, clientY: 100}));
  must(!box.hidden && box.textContent.startsWith(marks[0].dataset.name), place + ': pointing shows nothing');
  picture.dispatchEvent(new PointerEvent('pointerleave'));
  must(box.hidden, place + ': the box stays');
  for (const one of figure.querySelectorAll('[data-switch]')) {
    const series = figure.querySelectorAll(`[data-series="${one.dataset.switch}"]`);
    must(series.length > 0, place + ': a switch of nothing');
    const seen = () => [...series].every((each) => getComputedStyle(each).display !== 'none');
    one.click();
    must(!seen(), place + ': a switch hides nothing');
    one.click();
    must(seen(), place + ': a switch shows nothing');
  }
  figure.querySelector('[data-all=off]')?.click();
  for (const label of figure.querySelectorAll('[data-label-of]'))
    must(getComputedStyle(label).display === 'none', place + ': a label stays without its roof');
  figure.querySelector('[data-all=on]')?.click();
}

const larm = document.querySelector('[id^=chart-larm]');
if (larm.querySelector('[data-name=program]')) {
  const words = larm.querySelector('[data-name=program]').getAttribute('aria-label');
  for (const part of ['GFlop/s', 'flop/byte', 'roof:', 'headroom', 'reaches']) must(words.includes(part), 'the point does not tell ' + part);
  must(larm.querySelectorAll('[data-label-of]').length > 3, 'labels of roofs are not known');
}

// Dark and light differ, and letters stand out from the ground in both.
const colours = () => ['body', '.picture text', '.picture path'].map((one) => {
  const style = getComputedStyle(document.querySelector(one));
  return [style.backgroundColor, style.fill, style.stroke, style.color].join();
});
const before = colours();
document.getElementById('theme').click();
const after = colours();
must(before.every((one, i) => one !== after[i]), 'the switch does not change every colour: ' + before + ' ' + after);
document.title = 'tested: ' + (wrong.length ? wrong.slice(0, 5).join('; ') : 'all is well');
