/** A sign-in message (EIP-4361), for the reference page. */
export const exampleMessage = [
  '127.0.0.1:8080 wants you to sign in with your Ethereum account:',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '',
  'Sign in to openbourse.',
  '',
  'URI: http://127.0.0.1:8080',
  'Version: 1',
  'Chain ID: 31337',
  'Nonce: 4f3c0b9d2a6e8175c3d0a1b2e4f60718',
  'Issued At: 2026-01-05T00:00:00.000Z',
  'Expiration Time: 2026-01-05T00:05:00.000Z',
].join('\n');
