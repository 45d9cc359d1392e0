/** Reading a checkout: where it is, what its tree is, what changed. Nothing here writes to the user's repository. */
export { type Changes, FILE_LIMIT, type FileChange } from "./changes.ts";
export {
  type CheckoutOptions,
  type CheckoutReader,
  evidence,
  openCheckoutReader,
  type Snapshot,
  takeSnapshot,
  treeDigest,
} from "./checkout-reader.ts";
export { fileDiff, type FileDiff } from "./file-diff.ts";
export { git, gitOutput, type GitOptions, type GitResult } from "./git.ts";
export { type Gone, type Head, readHead } from "./head.ts";
export { repositoryFacts, type RepositoryFacts, type RepositoryProblem } from "./repository.ts";
