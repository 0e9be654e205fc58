// Messages that go away by themselves, and questions.

const $ = (id) => document.getElementById(id);

/// Shows a message; a click on it does something if there is something to do.
export function tell(text, kind = '', seconds = 8, action = null) {
  const box = document.createElement(action ? 'button' : 'div');
  box.className = kind;
  box.textContent = text;
  if (action) box.addEventListener('click', action);
  $('messages').append(box);
  while ($('messages').children.length > 4) $('messages').firstChild.remove();
  setTimeout(() => box.remove(), 1000 * seconds);
}

/// Asks for a line of text; empty if the user does not want to.
export function ask(question, initial = '') {
  const dialog = $('ask');
  $('ask-title').textContent = question;
  $('ask-value').value = initial;
  dialog.returnValue = '';
  dialog.showModal();
  $('ask-value').select();
  return new Promise((done) =>
    dialog.addEventListener('close', () => done(dialog.returnValue === 'ok' ? $('ask-value').value.trim() : ''), { once: true }));
}
