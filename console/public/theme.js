// Before the first paint, so that a chosen theme never flashes the other one.
(() => {
  const chosen = localStorage.getItem('theme');
  const isLight =
    chosen === 'light' || (chosen !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches);
  document.documentElement.dataset.theme = isLight ? 'light' : 'dark';
  if (localStorage.getItem('palette') === 'blue-orange') {
    document.documentElement.dataset.palette = 'blue-orange';
  }
})();
