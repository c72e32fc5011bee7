export function WalletPage() {
  return (
    <main class="page" id="main">
      <h1>wallet</h1>
    </main>
  );
}
