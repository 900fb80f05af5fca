// A client of the service in Go, for specs: client PORT [CA CERTIFICATE KEY]. It reads and prints what client.py does.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"health"
	"ratelimit"

	"github.com/golang/protobuf/jsonpb"
	"github.com/golang/protobuf/proto"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

type call struct {
	Method  string            `json:"method"`
	Request json.RawMessage   `json:"request"`
	Headers map[string]string `json:"headers"`
	Times   int               `json:"times"`
}

type answer map[string]interface{}

func main() {
	connection := dial(os.Args[1], os.Args[2:])
	defer connection.Close()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 0, 65536), 16<<20)
	for lines.Scan() {
		var asked call
		must(json.Unmarshal(lines.Bytes(), &asked))
		if asked.Times == 0 {
			asked.Times = 1
		}
		answers := make([]answer, asked.Times)
		var group sync.WaitGroup
		for at := range answers {
			group.Add(1)
			go func(at int) {
				defer group.Done()
				answers[at] = one(connection, asked)
			}(at)
		}
		group.Wait()
		text, err := json.Marshal(answers)
		must(err)
		fmt.Println(string(text))
	}
}

func dial(port string, files []string) *grpc.ClientConn {
	if len(files) == 0 {
		connection, err := grpc.Dial("127.0.0.1:"+port, grpc.WithInsecure())
		must(err)
		return connection
	}
	authority, err := os.ReadFile(files[0])
	must(err)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	config := &tls.Config{RootCAs: pool}
	if files[1] != "" {
		certificate, err := tls.LoadX509KeyPair(files[1], files[2])
		must(err)
		config.Certificates = []tls.Certificate{certificate}
	}
	connection, err := grpc.Dial("127.0.0.1:"+port, grpc.WithTransportCredentials(credentials.NewTLS(config)))
	must(err)
	return connection
}

func one(connection *grpc.ClientConn, asked call) answer {
	ctx, cancel := context.WithTimeout(metadata.NewOutgoingContext(context.Background(), metadata.New(asked.Headers)), 30*time.Second)
	defer cancel()
	switch asked.Method {
	case "ShouldRateLimit":
		request := &ratelimit.RateLimitRequest{}
		must(jsonpb.Unmarshal(bytes.NewReader(asked.Request), request))
		reply, err := ratelimit.NewRateLimitServiceClient(connection).ShouldRateLimit(ctx, request)
		return answerOf(reply, err)
	case "Check":
		reply, err := health.NewHealthClient(connection).Check(ctx, healthRequest(asked))
		return answerOf(reply, err)
	}
	stream, err := health.NewHealthClient(connection).Watch(ctx, healthRequest(asked))
	for err == nil {
		var reply *health.HealthCheckResponse
		reply, err = stream.Recv()
		if err == nil {
			fmt.Printf("[{\"watched\":%q}]\n", reply.Status.String())
		}
	}
	if err == io.EOF {
		return answer{"watched": nil}
	}
	return answerOf(nil, err)
}

func healthRequest(asked call) *health.HealthCheckRequest {
	request := &health.HealthCheckRequest{}
	must(jsonpb.Unmarshal(bytes.NewReader(asked.Request), request))
	return request
}

func answerOf(reply proto.Message, err error) answer {
	if err != nil {
		return answer{"code": status.Code(err), "details": status.Convert(err).Message()}
	}
	text, err := (&jsonpb.Marshaler{OrigName: true}).MarshalToString(reply)
	must(err)
	return answer{"reply": json.RawMessage(text)}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
