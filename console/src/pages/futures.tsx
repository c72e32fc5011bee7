export function FuturesPage() {
  return (
    <main class="page" id="main">
      <h1>futures</h1>
    </main>
  );
}
