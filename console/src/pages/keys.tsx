export function KeysPage() {
  return (
    <main class="page" id="main">
      <h1>keys</h1>
    </main>
  );
}
