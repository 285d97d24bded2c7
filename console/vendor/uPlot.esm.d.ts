// The server sends the package's own file under this name.
export { default } from 'uplot';
