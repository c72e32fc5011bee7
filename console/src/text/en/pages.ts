import type { Part } from '../part.ts';

// Texts of markets, API keys and the status, by key.

export const thereIsNoSuchPage = 'There is no such page';
export const theMarkets = 'The markets';
export const areHere = ' are here.';
export const key = 'Key';
export const secretShownThisOnce = 'Secret, shown this once';
export const copy = 'Copy';
export const yourNewAPIKey = 'Your new API key';
export const iHaveSavedIt = 'I have saved it';
export const whateverSignsWithTheKey = (label: Part) =>
  `Whatever signs with the key ${label} stops working at once.`;
export const deleteThisKey = 'Delete this key?';
export const deleteIt = 'Delete it';
export const theKeyIsDeleted = 'The key is deleted.';
export const label = 'Label';
export const may = 'May';
export const fromWord = 'From';
export const anyAddress = 'any address';
export const created = 'Created';
export const lastUsed = 'Last used';
export const state = 'State';
export const enabled = 'enabled';
export const disabled = 'disabled';
export const disable = 'Disable';
export const enable = 'Enable';
export const deleteWord = 'Delete';
export const newKey = 'New key';
export const addressesThatMayUseIt = 'Addresses that may use it (empty: any)';
export const mayTradeNotOnlyRead = 'May trade, not only read';
export const createAKey = 'Create a key';
export const aKeyMadeHereNeither = 'A key made here neither signs in nor withdraws.';
export const apiKeys = 'API keys';
export const signInToSeeYour = 'Sign in to see your keys';
export const yourKeys = 'Your keys';
export const noKeysYetCreateOne = 'No keys yet. Create one above for a program that trades.';
export const perpetual = (baseasset: Part) => `${baseasset} perpetual`;
export const asAFavourite = (name: Part) => `${name} as a favourite`;
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
export const noFavouritesYetTheStar = 'No favourites yet. The star before a market makes it one.';
export const noMarketHasThisIn = 'No market has this in its name. Shorten the search.';
export const marketsFound = (count: Part) => `${count} markets found`;
export const job = (job: Part) => `job ${job}`;
export const neverRan = 'never ran';
export const sAgo = (age: Part) => `${age} s ago`;
export const part = 'Part';
export const since = 'Since';
export const note = 'Note';
export const chain = 'Chain';
export const notReached = 'not reached';
export const status = 'Status';
export const service = 'Service';
export const outOfReach = 'out of reach';
export const process = 'Process';
export const alive = 'alive';
export const stream = 'Stream';
export const roundTrip = 'Round trip';
export const ms = (value: Part) => `${value} ms`;
export const yourClockAgainstTheServices = "Your clock against the service's";
export const buildOfThisPage = 'Build of this page';
export const chainAndContracts = 'Chain and contracts';
export const parts = 'Parts';
export const partsOfTheService = 'Parts of the service';
export const readAgo = (age: Part) => `read ${age} s ago`;
export const nothingIsKnownYet = 'Nothing is known yet.';
export const spotMarket = 'Spot market';
export const is = ' is ';
export const noNewOrdersCancellingWorks = ': no new orders, cancelling works.';
export const contractNames: Readonly<Record<string, string>> = {
  reward_router: 'Reward router',
  referral_rebate: 'Referral rebate',
  spot_vault: 'Spot vault',
  usdt: 'USDT',
  df: 'DF',
};
