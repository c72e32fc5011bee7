export function PointsPage() {
  return (
    <main class="page" id="main">
      <h1>points</h1>
    </main>
  );
}
