export function ReferralPage() {
  return (
    <main class="page" id="main">
      <h1>referral</h1>
    </main>
  );
}
