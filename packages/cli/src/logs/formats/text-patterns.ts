export const COMBINED =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';
/** Of the packages of nginx.org, whose nginx often runs behind a balancer. */
export const MAIN = `${COMBINED} "$http_x_forwarded_for"`;
export const COMMON = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent';

/** Of the virtual hosts of Apache, as Debian configures it. */
export const VHOST_COMBINED = `$vhost ${COMBINED}`;

/** `option httplog`, behind the prefix of any syslog: https://docs.haproxy.org/3.2/configuration.html#8.2.3 */
export const HAPROXY =
  '$client [$accept_date] $frontend $backend $timers $status $bytes $request_cookie $response_cookie $termination ' +
  '$connections $queues_and_captures "$request"';

/** The default of Traefik: https://doc.traefik.io/traefik/observability/access-logs/ */
export const TRAEFIK_COMMON = `${COMBINED} $request_count "$router" "$server_url" \${duration}ms`;

/** The defaults of Envoy and of Istio: https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage */
export const ENVOY =
  '[$time_iso8601] "$request" $status $flags $received_bytes $sent_bytes $duration $upstream_time ' +
  '"$appended_forwarded_for" "$user_agent" "$request_id" "$authority" "$upstream_host"';
export const ISTIO =
  '[$time_iso8601] "$request" $status $flags $details $termination "$failure" $received_bytes $sent_bytes $duration ' +
  '$upstream_time "$http_x_forwarded_for" "$user_agent" "$request_id" "$authority" "$upstream_host" $upstream_cluster ' +
  '$upstream_local $downstream_local $client $server_name $route';

/** https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html */
export const ALB =
  '$type $time $elb $client $target $request_processing_time $target_processing_time $response_processing_time ' +
  '$elb_status_code $target_status_code $received_bytes $sent_bytes "$request" "$user_agent" $ssl_cipher ' +
  '$ssl_protocol $target_group_arn "$trace_id" "$domain_name" "$chosen_cert_arn" $matched_rule_priority ' +
  '$request_creation_time "$actions_executed" "$redirect_url" "$error_reason"';

/** Classic load balancers of AWS: https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html */
export const ELB =
  '$timestamp $elb $client $backend $request_processing_time $backend_processing_time $response_processing_time ' +
  '$elb_status_code $backend_status_code $received_bytes $sent_bytes "$request" "$user_agent" $ssl_cipher $ssl_protocol';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html */
export const S3 =
  '$bucket_owner $bucket [$time_local] $remote_addr $remote_user $request_id $operation $object "$request" $status ' +
  '$error $sent_bytes $object_size $total_time $turn_around_time "$http_referer" "$http_user_agent" $version';

/** What the console of API Gateway calls CLF, for REST, which has no space before the request, and for HTTP. */
export const API_GATEWAY =
  '$remote_addr $caller $remote_user [$time_local]"$request" $status $response_length $request_id $extended_request_id';
export const API_GATEWAY_SPACED =
  '$remote_addr $caller $remote_user [$time_local] "$request" $status $response_length $request_id $extended_request_id';

/** `option httplog clf`, without the prefix of syslog: the time of the request to the second, and its milliseconds. */
export const HAPROXY_CLF =
  '$remote_addr - - [$time_local] "$request" $status $bytes "" "" $client_port $time_milliseconds "$frontend" ' +
  '"$backend" "$server"';

/** For hosts that Nginx Proxy Manager forwards, and for those that it answers. */
export const NGINX_PROXY_MANAGER =
  '[$time_local] $upstream_cache_status $upstream_status $status - $request_method $scheme $host "$request_uri" ' +
  '[Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip_ratio] [Sent-to $server] "$http_user_agent" "$http_referer"';
export const NGINX_PROXY_MANAGER_STANDARD =
  '[$time_local] $status - $request_method $scheme $host "$request_uri" [Client $remote_addr] ' +
  '[Length $body_bytes_sent] [Gzip $gzip_ratio] "$http_user_agent" "$http_referer"';
