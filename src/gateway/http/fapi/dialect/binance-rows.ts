// Fields of Binance's documents that the interface does not name. Amounts in a base asset are those
// of coin-margined contracts, which are 0 for others; the total supply of a coin is not known here.

const withoutBase = (row: object): object => ({ ...row, cumBase: '0' });

/** The extra fields of a row, by method and path. */
export const binanceRows: ReadonlyMap<string, (row: object) => object> = new Map([
  ['GET /fapi/v1/fundingRate', (row) => ({ ...row, rateType: 'Regular' })],
  ['GET /futures/data/openInterestHist', (row) => ({ ...row, CMCCirculatingSupply: '0' })],
  ['GET /fapi/v1/userTrades', (row) => ({ ...row, ...pairOf(row), baseQty: '0' })],
  ['GET /fapi/v1/allOrders', withoutBase],
  ['GET /fapi/v1/forceOrders', withoutBase],
]);

function pairOf(row: object): object {
  return 'symbol' in row ? { pair: row.symbol } : {};
}
