import { effect, signal } from '@preact/signals';

// The settings of this device, the same in all tabs.

export const theme = signal<string>(document.documentElement.dataset['theme'] ?? 'dark');
export const palette = signal<string>(localStorage.getItem('palette') ?? 'green-red');
export const favourites = signal<ReadonlySet<string>>(readSet('favourites'));
export const areKeysOn = signal(localStorage.getItem('keys') !== 'off');
/** Whether limit orders and single cancellations are confirmed too. */
export const isAlwaysAsked = signal(localStorage.getItem('ask') === 'always');

function readSet(name: string): ReadonlySet<string> {
  return new Set((localStorage.getItem(name) ?? '').split(',').filter((each) => each !== ''));
}

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});
effect(() => {
  document.documentElement.dataset['palette'] = palette.value;
});

export function chooseTheme(name: string): void {
  localStorage.setItem('theme', name);
  theme.value = name;
}

export function choosePalette(name: string): void {
  localStorage.setItem('palette', name);
  palette.value = name;
}

export function chooseKeys(isOn: boolean): void {
  localStorage.setItem('keys', isOn ? 'on' : 'off');
  areKeysOn.value = isOn;
}

export function chooseAlways(isOn: boolean): void {
  localStorage.setItem('ask', isOn ? 'always' : 'seldom');
  isAlwaysAsked.value = isOn;
}

export function toggleFavourite(name: string): void {
  const next = new Set(favourites.value);
  if (!next.delete(name)) next.add(name);
  localStorage.setItem('favourites', [...next].join(','));
  favourites.value = next;
}

addEventListener('storage', ({ key, newValue }) => {
  if (key === 'theme' && newValue !== null) theme.value = newValue;
  if (key === 'palette' && newValue !== null) palette.value = newValue;
  if (key === 'ask') isAlwaysAsked.value = newValue === 'always';
  if (key === 'keys') areKeysOn.value = newValue !== 'off';
  if (key === 'favourites') favourites.value = readSet('favourites');
});
