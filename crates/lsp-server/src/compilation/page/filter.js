// A field above the changes: only the functions whose names contain what is typed stay. An editor that shows the page
// sends the place to go to.
const named = [...document.querySelectorAll('[data-functions]')];
if (named.length > 1) {
  const field = document.createElement('input');
  Object.assign(field, { type: 'search', placeholder: 'Filter by function' });
  field.setAttribute('aria-label', field.placeholder);
  const has = (text) => text.toLowerCase().includes(field.value.toLowerCase());
  field.addEventListener('input', () => {
    for (const it of named) it.hidden = !it.dataset.functions.split(' ').some(has);
    for (const it of document.querySelectorAll('section')) it.hidden = field.value !== '' && !it.querySelector('[data-functions]:not([hidden])');
    for (const it of document.querySelectorAll('section > details')) it.open ||= field.value !== '';
  });
  document.querySelector('section').before(field);
}
addEventListener('message', ({ data }) => document.getElementById(data)?.scrollIntoView());
