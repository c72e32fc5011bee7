import type { Part } from '../part.ts';

// Texts of markets, API keys and the status, by key.

export const noSuchPage = 'There is no such page';
export const key = 'Key';
export const secretShownThisOnce = 'Secret, shown only once';
export const copy = 'Copy';
export const yourNewAPIKey = 'Your new API key';
export const iHaveSavedIt = 'I have saved it';
export const keyStopsWorking = (label: Part) =>
  `Anything that signs with the key ${label} stops working at once.`;
export const deleteKeyQuestion = 'Delete this key?';
export const deleteIt = 'Delete it';
export const keyDeleted = 'The key is deleted.';
export const label = 'Label';
export const permissions = 'Permissions';
export const addresses = 'From';
export const anyAddress = 'any address';
export const created = 'Created';
export const lastUsed = 'Last used';
export const state = 'State';
export const enabled = 'enabled';
export const disabled = 'disabled';
export const disable = 'Disable';
export const enable = 'Enable';
export const deleteKey = 'Delete';
export const newKey = 'New key';
export const allowedAddresses = 'Allowed IP addresses (empty: any)';
export const mayTrade = 'May trade (otherwise it can only read)';
export const createKey = 'Create a key';
export const keyLimits = 'A key created here can neither sign in nor withdraw.';
export const apiKeys = 'API keys';
export const signInToSeeKeys = 'Sign in to see your keys';
export const yourKeys = 'Your keys';
export const noKeysYet = 'No keys yet. Create one above for a trading program.';
export const perpetual = (baseAsset: Part) => `${baseAsset} perpetual`;
export const markAsFavourite = (name: Part) => `${name} as a favourite`;
export const market = 'Market';
export const last = 'Last';
export const high = 'High';
export const low = 'Low';
export const volumeUSDT = 'Volume (USDT)';
export const trend = 'Trend';
export const markets = 'Markets';
export const whichMarkets = 'Which markets';
export const spot = (count: Part) => `Spot ${count}`;
export const perpetuals = (count: Part) => `Perpetuals ${count}`;
export const favourites = 'Favourites';
export const searchMarkets = 'Search markets';
export const search = 'Search';
export const noFavouritesYet = 'No favourites yet. Mark a market with its star.';
export const noMarketFound = 'No market matches. Shorten the search.';
export const marketsFound = (count: Part) => `${count} markets found`;
export const job = (name: Part) => `job ${name}`;
export const neverRan = 'never ran';
export const secondsAgo = (age: Part) => `${age} s ago`;
export const part = 'Part';
export const since = 'Since';
export const note = 'Note';
export const chain = 'Chain';
export const notReached = 'not reached';
export const status = 'Status';
export const service = 'Service';
export const outOfReach = 'unreachable';
export const process = 'Process';
export const alive = 'alive';
export const stream = 'Stream';
export const roundTrip = 'Round trip';
export const milliseconds = (value: Part) => `${value} ms`;
export const clockOffset = "Your clock compared with the service's";
export const buildOfThisPage = 'Build of this page';
export const chainAndContracts = 'Chain and contracts';
export const parts = 'Parts';
export const partsOfTheService = 'Parts of the service';
export const readAgo = (age: Part) => `read ${age} s ago`;
export const nothingKnownYet = 'No information yet.';
export const spotMarket = 'Spot market';
export const contractNames: Readonly<Record<string, string>> = {
  reward_router: 'Reward router',
  referral_rebate: 'Referral rebate',
  spot_vault: 'Spot vault',
  usdt: 'USDT',
  df: 'DF',
};
export const goToMarkets = 'Go to the markets';
export const notTrading = (market: Part, status: Part) =>
  `${market} is ${status}: no new orders; open ones can be canceled.`;
