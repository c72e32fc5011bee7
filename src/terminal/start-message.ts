import type { Config } from '../config/config.ts';

export interface StartedService {
  readonly url: string;
  readonly version: string;
  readonly isDemo: boolean;
  /** Milliseconds from the start of the process until orders are accepted. */
  readonly startedInMs: number;
}

/** Of the names at the start of each line. */
const nameWidth = 9;

/** The message on the terminal when the exchange is ready for orders. */
export function formatStartMessage(config: Config, started: StartedService): string {
  const { url, version, isDemo, startedInMs } = started;
  const rows = [
    ['Page', url],
    ['API', `${url}/docs`],
    ['Data', config.dataDir],
    ['Chain', describeChain(config)],
  ].map(formatRow);
  const seconds = (startedInMs / 1000).toFixed(1);
  return [
    '',
    `openbourse ${version} is ready for orders after ${seconds} s.`,
    '',
    ...rows,
    '',
    ...nextSteps(config, isDemo),
    '  Stop with Ctrl-C.',
    '',
  ].join('\n');
}

function describeChain({ chain, isTestnet }: Config): string {
  const name = chain.rpcUrl === null ? 'development chain' : 'chain';
  return `${name} ${chain.chainId}${isTestnet ? ', test money by faucet' : ''}`;
}

function nextSteps({ isTestnet, isProduction, port }: Config, isDemo: boolean): string[] {
  if (isProduction) return [];
  const ownPort = port === 8080 ? '' : `PORT=${port} `;
  const steps = [['Sign in', `${ownPort}npm run sign-in`]];
  if (!isTestnet || !isDemo) steps.push(['Try it', 'TESTNET_ONLY=true npm start -- --demo']);
  steps.push(['Tour', 'docs/tour.md']);
  return steps.map(formatRow);
}

function formatRow([name = '', value = '']: readonly string[]): string {
  return `  ${name.padEnd(nameWidth)}${value}`;
}
