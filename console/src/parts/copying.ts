import { plainNumbers } from '../number/format.ts';

// What is copied from the page can be pasted into a field or a spreadsheet.
addEventListener('copy', (event) => {
  const { target, clipboardData } = event;
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
  const text = String(getSelection());
  const plain = plainNumbers(text);
  if (plain === text || clipboardData === null) return;
  clipboardData.setData('text/plain', plain);
  event.preventDefault();
});
