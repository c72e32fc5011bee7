export function StatusPage() {
  return (
    <main class="page" id="main">
      <h1>status</h1>
    </main>
  );
}
