export { formatPoints } from '../../programs/points/points.ts';
