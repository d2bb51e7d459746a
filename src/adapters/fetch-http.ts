/**
 * The network client under its first name, for code that was written against it; `http-client.ts` is the file.
 */
export { NetworkHttp as FetchHttp } from "./http-client.ts";
