/** The folder of the server's logs, in the cluster's folder. */
export const LOG_FOLDER = 'log';

/** The settings of the embedded server: for a small machine and one application, without TCP. */
export const settings = (sockets: string) => ({
  listen_addresses: '',
  unix_socket_directories: `"${sockets.replaceAll('"', '""')}"`, // a list: in an unquoted name, a comma would end the item
  unix_socket_permissions: '0700',
  max_connections: 60,
  shared_buffers: '128MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  effective_cache_size: '512MB',
  wal_compression: 'on',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  // One file for each day of the week, overwritten after a week.
  logging_collector: 'on',
  log_directory: LOG_FOLDER,
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: 0,
  log_truncate_on_rotation: 'on',
});
