export function AdminPage() {
  return (
    <main class="page" id="main">
      <h1>admin</h1>
    </main>
  );
}
