import Glibc

extension NginxServer {
    /// Paths without a directory of their own are relative to the server's folder.
    static func configuration(_ ports: Ports) -> String {
        """
        daemon off;
        \(geteuid() == 0 ? "user root root;" : "")
        worker_processes 1;
        pid nginx.pid;
        error_log error.log warn;
        events { worker_connections 1024; }
        http {
            access_log off;
            types { text/plain txt; application/json json; application/octet-stream bin; }
            default_type text/plain;
            client_body_temp_path temp/body;
            proxy_temp_path temp/proxy;
            fastcgi_temp_path temp/fastcgi;
            uwsgi_temp_path temp/uwsgi;
            scgi_temp_path temp/scgi;
            client_max_body_size 0;
            reset_timedout_connection on;
            gzip on;
            gzip_min_length 1;
            gzip_proxied any;
            gzip_types text/plain application/json;
            ssl_certificate server.pem;
            ssl_certificate_key server.key;
            ssl_protocols TLSv1.2 TLSv1.3;
            map $http_range $rate_until_a_range { "" 4m; default 0; }
            server {
                listen 127.0.0.1:\(ports.http);
                listen 127.0.0.1:\(ports.https) ssl;
                listen 127.0.0.2:\(ports.https) ssl;
                listen 127.0.0.1:\(ports.http2) ssl http2;
                listen 127.0.0.2:\(ports.http2) ssl http2;
                root files;
                add_header X-Connection $connection always;
                add_header X-Protocol $server_protocol always;
                \(locations(ports))
            }
        }
        """
    }

    /// Each `/NAME/FILE` serves a file as `/FILE` does, but for what its location says.
    private static func locations(_ ports: Ports) -> String {
        """
        location = /status { stub_status; }
        location = /worker { return 200 $pid; }
        location /to-https/ { return 302 https://127.0.0.1:\(ports.https)/; }
        location /to-http/ { return 302 http://127.0.0.1:\(ports.http)/; }
        location /slow/ { alias files/; limit_rate $rate_until_a_range; }
        location /closing/ { alias files/; keepalive_timeout 0; }
        location /once/ { alias files/; keepalive_requests 1; }
        location /brief/ { alias files/; keepalive_timeout 5ms; }
        location = /reset { return 444; }
        location /uploads/ { alias uploads/; dav_methods PUT; }
        """
    }
}
